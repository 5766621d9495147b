import type { Event } from '../event.ts'
import { DecodeError } from './decode-error.ts'
import { decodeBatchJsonSlow } from './json-slow.ts'

/** {@link decodeBatchJsonSlow} for callers that cannot derive the identity of cookieless events. */
export function decodeBatchJson(body: Buffer): Event[] {
  const events = decodeBatchJsonSlow(body)
  const index = events.findIndex(({ cookieless }) => cookieless)
  if (index < 0) return events
  const problem = 'is not available yet: send distinctId and sessionId'
  throw new DecodeError(`events[${index}].cookieless`, problem, 'unimplemented')
}
