import * as zlib from 'node:zlib'
import type { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import { unsupportedCoding } from './protocol-errors.ts'

/** The compression of a message or a body. */
export type Coding = 'identity' | 'gzip' | 'br' | 'zstd'

/** The codings that change bytes. */
export type Compressing = Exclude<Coding, 'identity'>

/** The codings that this Node.js supports besides identity, best for answers first. */
export const CODINGS: readonly Compressing[] =
  typeof zlib.zstdDecompressSync === 'function' ? ['zstd', 'br', 'gzip'] : ['br', 'gzip']

/** The codings in the syntax of accept headers. */
export const ACCEPTED_CODINGS = CODINGS.join(',')

const IDENTITY = ok<Coding>('identity')

const PARSED: ReadonlyMap<string, Result<Coding, never>> = new Map<string, Result<Coding, never>>([
  ['', IDENTITY],
  ['identity', IDENTITY],
  ...CODINGS.map((coding) => [coding, ok(coding)] as const),
])

/** The coding that `content-encoding`, `connect-content-encoding` or `grpc-encoding` names; `unimplemented` otherwise. */
export function parseCoding(text: string): Result<Coding, ServiceError> {
  return (
    PARSED.get(text) ??
    PARSED.get(text.trim().toLowerCase()) ??
    err(unsupportedCoding(text, [...CODINGS, 'identity']))
  )
}

/**
 * The coding of an answer: the one with the highest q-value of an accept header (RFC 9110 section 12.5.3), ours first
 * among equals. Identity when the header is absent or accepts none of ours. gRPC's lists have no q-values.
 */
export function negotiateCoding(accept: string): Coding {
  if (accept === '') return 'identity'
  const weights = parseWeights(accept)
  let best: Coding = 'identity'
  let bestWeight = weights.get('identity') ?? 0
  // A client that gives identity the same weight as others leaves the choice to the server.
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > bestWeight || (weight === bestWeight && best === 'identity' && weight > 0)) {
      best = coding
      bestWeight = weight
    }
  }
  return best
}

const WEIGHT = /^q=([01](?:\.\d{0,3})?)$/

function parseWeights(accept: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim())
    const weight = parameters
      .map((parameter) => WEIGHT.exec(parameter)?.[1])
      .find((text) => text !== undefined)
    if (name !== '') weights.set(name, weight === undefined ? 1 : Math.min(1, Number(weight)))
  }
  return weights
}
