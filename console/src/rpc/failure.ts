import { Code, ConnectError } from '@connectrpc/connect'
import { codeToString } from '@connectrpc/connect/protocol-connect'
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
} from '@contract/google/rpc/error_details_pb.js'

/** Codes of failures that a retry cannot change. */
const FINAL_CODES: readonly string[] = [
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.Unimplemented,
].map(codeToString)

/** What went wrong, as people read it. */
export class Failure extends Error {
  /** As Connect writes it, for example `not_found`. */
  readonly code: string
  readonly reason: string
  readonly requestId: string
  /** What is wrong with each field, by its path. */
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

  /** True for what asking once more cannot change. */
  get isFinal(): boolean {
    return FINAL_CODES.includes(this.code)
  }

  /** Any thrown value. */
  static from(thrown: unknown): Failure {
    if (thrown instanceof Failure) return thrown
    const error = ConnectError.from(thrown)
    const [info] = error.findDetails(ErrorInfoSchema)
    const [request] = error.findDetails(RequestInfoSchema)
    const fields = error.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations)
    return new Failure({
      code: codeToString(error.code),
      message: info ? error.rawMessage : 'The service cannot be reached, or its answer cannot be read.',
      reason: info?.reason ?? '',
      requestId: request?.requestId ?? error.metadata.get('x-request-id') ?? '',
      violations: new Map(fields.map(({ field, description }) => [field, description])),
    })
  }
}
