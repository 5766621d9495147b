import { constants, gunzipSync } from 'node:zlib'
import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { Coding } from '../../../rpc/coding.ts'
import { UNPACK_RATIO_MAX } from '../../../rpc/compression.ts'
import { bodyFormOf, unwrapBody } from './unwrap-body.ts'

/** Bytes of a body in which its key is looked for first: most SDKs write it at the beginning. */
const HEAD_BYTES = 1024

/** The same of a body in base64. Mixpanel's SDK for browsers writes the key at the end of the first event. */
const ENCODED_HEAD_BYTES = 4096

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

/** The beginning of a body as text; empty when it has to be read as a whole. */
function readHead(bytes: Buffer, coding: Coding): string {
  const head = bytes.subarray(0, HEAD_BYTES)
  const form = bodyFormOf(head)
  if (form === 'json') return head.toString('latin1')
  if (coding === 'br' || coding === 'zstd') return ''
  return form === 'gzip' ? unzipHead(head) : decodeHead(bytes.subarray(0, ENCODED_HEAD_BYTES))
}

function unzipHead(head: Buffer): string {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
  } catch {
    return ''
  }
}

/** The beginning of a text in base64 is the beginning of what it stands for. Speed: `latency/mixpanel-50`. */
function decodeHead(head: Buffer): string {
  const body = unwrapBody(head, 'identity', ENCODED_HEAD_BYTES, UNPACK_RATIO_MAX)
  return body.ok ? Buffer.from(body.value).toString('latin1') : ''
}
