import type { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import type { Protocol } from './content-type.ts'
import { invalidRequest } from './protocol-errors.ts'

const CONNECT_TIMEOUT = /^\d{1,10}$/
const GRPC_TIMEOUT = /^(\d{1,8})([HMSmun])$/

const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
}

/** `connect-timeout-ms` in milliseconds: at most ten digits. Connect protocol reference "Timeout". */
export function parseConnectTimeout(text: string): Result<number, ServiceError> {
  if (CONNECT_TIMEOUT.test(text)) return ok(Number(text))
  return err(invalidRequest('connect-timeout-ms must be a whole number of milliseconds, at most ten digits'))
}

/** `grpc-timeout` in whole milliseconds, rounded up: at most eight digits and a unit. gRPC over HTTP/2 "Timeout". */
export function parseGrpcTimeout(text: string): Result<number, ServiceError> {
  const [, digits, unit] = GRPC_TIMEOUT.exec(text) ?? []
  const unitMs = UNIT_MS[unit ?? '']
  if (digits !== undefined && unitMs !== undefined) return ok(Math.ceil(Number(digits) * unitMs))
  return err(
    invalidRequest('grpc-timeout must be at most eight digits and one of the units H, M, S, m, u, n'),
  )
}

/** The timeout header of a protocol in milliseconds, or `invalid_argument`. */
export function parseTimeout(protocol: Protocol, text: string): Result<number, ServiceError> {
  return protocol === 'connect' ? parseConnectTimeout(text) : parseGrpcTimeout(text)
}
