import { createHash } from 'node:crypto'
import { UUID_BYTES, uuidText } from '../store/state/touch-chains.ts'

/** Namespace of the service's derived ids (RFC 9562, section 5.5); part of the data: never change it. */
const NAMESPACE = Buffer.from('0f5d8a1e6c3b4e7f9a2d51c7e84b3f60', 'hex')

/** The lower-case UUIDv5 of a name in the service's namespace. */
export function uuidV5(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, UUID_BYTES)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return uuidText(bytes)
}
