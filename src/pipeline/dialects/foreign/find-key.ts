import { constants, gunzipSync } from 'node:zlib'
import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { Coding } from '../../../rpc/coding.ts'
import { UNPACK_RATIO_MAX } from '../../../rpc/compression.ts'
import { bodyFormOf, unwrapBody } from './unwrap-body.ts'

/** Bytes of a body in which its key is looked for first: most SDKs write it at the beginning. */
const HEAD_BYTES = 1024

/**
 * A public key under one of the names that SDKs give it. Quotes inside texts are escaped, so that it is not found in the value of a
 * property. The worker parses the body and refuses it when its key is another one.
 */
const KEYS = [
  /"(?:api_key|writeKey)"\s*:\s*"(pub_[\w-]{1,200})"/,
  /"(?:token|\$token)"\s*:\s*"(pub_[\w-]{1,200})"/,
] as const

/**
 * The public key inside a body, without parsing it; empty when there is none. The whole body is unwrapped only if its head has none; a
 * body that cannot be unwrapped is an error. The caller has shown no key yet, so the size is bounded on the thread of all requests.
 */
export function findKey(bytes: Buffer, coding: Coding, bytesMax: number): Result<string, ServiceError> {
  const ofHead = findIn(readHead(bytes, coding))
  if (ofHead !== '') return ok(ofHead)
  const body = unwrapBody(bytes, coding, bytesMax, UNPACK_RATIO_MAX)
  return body.ok ? ok(findIn(Buffer.from(body.value).toString('latin1'))) : body
}

function findIn(text: string): string {
  for (const pattern of KEYS) {
    const key = pattern.exec(text)?.[1]
    if (key !== undefined) return key
  }
  return ''
}

function readHead(bytes: Buffer, coding: Coding): string {
  const head = bytes.subarray(0, HEAD_BYTES)
  const form = bodyFormOf(head)
  if (form === 'json') return head.toString('latin1')
  if (form !== 'gzip' || coding === 'br' || coding === 'zstd') return ''
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
  } catch {
    return ''
  }
}
