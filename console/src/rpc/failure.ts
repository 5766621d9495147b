import { fromBinary } from '@bufbuild/protobuf'
import { base64Decode } from '@bufbuild/protobuf/wire'
import { Code, ConnectError } from '@connectrpc/connect'
import { codeToString } from '@connectrpc/connect/protocol-connect'
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
} from '@contract/google/rpc/error_details_pb.js'
import { t } from '../i18n/translate.ts'

/** Codes of failures that a retry cannot change. */
const FINAL_CODES: readonly string[] = [
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.Unimplemented,
].map(codeToString)

/** A detail of an error in JSON. */
export interface JsonDetail {
  readonly type: string
  readonly value: string
}

/** The reason of an error in JSON; empty without one. */
export function reasonInJson(details: readonly JsonDetail[] = []): string {
  const info = details.find(({ type }) => type === ErrorInfoSchema.typeName)
  return info ? fromBinary(ErrorInfoSchema, base64Decode(info.value)).reason : ''
}

/** Whether an error says that there is no such thing, or none any more. */
export function isNotFound(error: unknown): boolean {
  return error != null && Failure.from(error).code === 'not_found'
}

/** An error to show to the reader. */
export class Failure extends Error {
  /** The Connect code, for example `not_found`. */
  readonly code: string
  readonly reason: string
  readonly requestId: string
  /** The problems of fields, by their paths. */
  readonly violations: ReadonlyMap<string, string>

  constructor(init: {
    readonly code: string
    readonly message: string
    readonly reason?: string
    readonly requestId?: string
    readonly violations?: ReadonlyMap<string, string>
  }) {
    super(init.message)
    this.name = 'Failure'
    this.code = init.code
    this.reason = init.reason ?? ''
    this.requestId = init.requestId ?? ''
    this.violations = init.violations ?? new Map()
  }

  /** Whether a retry cannot help. */
  get isFinal(): boolean {
    return FINAL_CODES.includes(this.code)
  }

  /** The failure of any thrown value. */
  static from(thrown: unknown): Failure {
    if (thrown instanceof Failure) return thrown
    const error = ConnectError.from(thrown)
    const [info] = error.findDetails(ErrorInfoSchema)
    const [request] = error.findDetails(RequestInfoSchema)
    const fields = error.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations)
    return new Failure({
      code: codeToString(error.code),
      message: info ? error.rawMessage : t('ui.unreachable'),
      reason: info?.reason ?? '',
      requestId: request?.requestId ?? error.metadata.get('x-request-id') ?? '',
      violations: new Map(fields.map(({ field, description }) => [field, description])),
    })
  }
}
