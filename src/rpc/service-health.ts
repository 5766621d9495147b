import { create, fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf'
import {
  Health,
  type HealthCheckRequest,
  HealthCheckRequestSchema,
  type HealthCheckResponse,
  HealthCheckResponseSchema,
  type HealthListResponse,
  HealthListResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '../contract/gen/grpc/health/v1/health_pb.js'
import { SERVICE_NAMES } from '../contract/gen/service-names.js'
import { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import type { Codec } from './content-type.ts'
import { refuseExcess } from './message-bounds.ts'
import { invalidRequest } from './protocol-errors.ts'
import type { Readiness } from './readiness.ts'

/** Milliseconds between two checks of a watch; readiness checks run no more often. */
const WATCH_INTERVAL_MS = 500

/** Concurrent watches of one process: each costs a check twice a second. */
const WATCHES_MAX = 128

/** Sources of the health status. */
export interface ServiceHealthOptions {
  readonly readiness: Readiness
  /** Services that do not depend on the readiness checks. */
  readonly independent: readonly string[]
}

/** Implements `grpc.health.v1.Health`: the status of each service of this process. */
export class ServiceHealth {
  readonly #readiness: Readiness
  readonly #independent: ReadonlySet<string>
  readonly #known: ReadonlySet<string> = new Set(['', Health.typeName, ...SERVICE_NAMES])
  #watches = 0

  constructor({ readiness, independent }: ServiceHealthOptions) {
    this.#readiness = readiness
    this.#independent = new Set([Health.typeName, ...independent])
  }

  /** The status of one service. Throws `not_found` for a name that is not served. */
  async check({ service }: HealthCheckRequest): Promise<HealthCheckResponse> {
    if (!this.#known.has(service)) throw serviceNotFound(service)
    return create(HealthCheckResponseSchema, { status: await this.#statusOf(service) })
  }

  /** The status of each service. */
  async list(): Promise<HealthListResponse> {
    const entries = [...this.#known].map(
      async (name) => [name, { status: await this.#statusOf(name) }] as const,
    )
    return create(HealthListResponseSchema, { statuses: Object.fromEntries(await Promise.all(entries)) })
  }

  /**
   * The status of one service now and after every change, until the client leaves or the process stops. Throws
   * `resource_exhausted` when there are too many watches.
   */
  async *watch({ service }: HealthCheckRequest, signal: AbortSignal): AsyncGenerator<HealthCheckResponse> {
    if (this.#watches >= WATCHES_MAX) throw tooManyWatches()
    this.#watches++
    try {
      let last: Status | undefined
      while (!signal.aborted) {
        const isLast = this.#readiness.isStopping
        const status = await this.#watchedStatusOf(service)
        if (status !== last) yield create(HealthCheckResponseSchema, { status })
        last = status
        if (isLast) return
        await pause(WATCH_INTERVAL_MS, signal)
      }
    } finally {
      this.#watches--
    }
  }

  async #watchedStatusOf(service: string): Promise<Status> {
    return this.#known.has(service) ? await this.#statusOf(service) : Status.SERVICE_UNKNOWN
  }

  async #statusOf(service: string): Promise<Status> {
    if (this.#readiness.isStopping) return Status.NOT_SERVING
    const isServing = this.#independent.has(service) || (await this.#readiness.missing()).length === 0
    return isServing ? Status.SERVING : Status.NOT_SERVING
  }
}

/** Decodes the request of a check; `invalid_argument` when it is invalid. */
export function readHealthCheck(codec: Codec, bytes: Uint8Array): Result<HealthCheckRequest, ServiceError> {
  const excess = refuseExcess(codec, Health.method.check, bytes)
  if (excess) return err(excess)
  try {
    if (codec === 'proto') return ok(fromBinary(HealthCheckRequestSchema, bytes))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return ok(fromJsonString(HealthCheckRequestSchema, text, { ignoreUnknownFields: true }))
  } catch (thrown) {
    return err(invalidRequest('the request is not a HealthCheckRequest', thrown))
  }
}

/** Encodes the answer of a check. */
export function writeHealthCheck(codec: Codec, response: HealthCheckResponse): string | Uint8Array {
  return codec === 'proto'
    ? toBinary(HealthCheckResponseSchema, response)
    : toJsonString(HealthCheckResponseSchema, response)
}

/** Encodes the answer of a list. */
export function writeHealthList(codec: Codec, response: HealthListResponse): string | Uint8Array {
  return codec === 'proto'
    ? toBinary(HealthListResponseSchema, response)
    : toJsonString(HealthListResponseSchema, response)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}

function serviceNotFound(service: string): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'SERVICE_NOT_FOUND',
    message: `there is no service ${JSON.stringify(service.slice(0, 64))}`,
  })
}

function tooManyWatches(): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'too many watches are open; use Check, or try again later',
    retryAfterSeconds: 10,
  })
}
