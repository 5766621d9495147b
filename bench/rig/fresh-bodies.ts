const EVENT_ID = Buffer.from('"eventId":"')

/** Of the 36 characters of an event id the last 12 are replaced. */
const KEPT_CHARACTERS = 24
const COUNTER_DIGITS = 12

/**
 * Gives the bodies in turn, each time with event ids that were not there before: copies would collapse in the store, and
 * nobody could tell a lost row from a copy. The buffer is valid until the next call.
 */
export function createFreshBodies(bodies: readonly Buffer[]): () => Buffer {
  const templates = bodies.map((body) => ({ body: Buffer.from(body), offsets: findCounters(body) }))
  let eventCount = 0
  let requestCount = 0
  return () => {
    const template = templates[requestCount++ % templates.length]
    if (!template) throw new RangeError('there is no body')
    for (const offset of template.offsets) {
      template.body.write(String(++eventCount).padStart(COUNTER_DIGITS, '0'), offset, 'latin1')
    }
    return template.body
  }
}

function findCounters(body: Buffer): number[] {
  const offsets: number[] = []
  for (let at = body.indexOf(EVENT_ID); at !== -1; at = body.indexOf(EVENT_ID, at + 1)) {
    offsets.push(at + EVENT_ID.length + KEPT_CHARACTERS)
  }
  return offsets
}
