/** The bytes before an event id: its name in JSON; the tag of its field and its length in binary. */
const BEFORE_EVENT_ID = { json: Buffer.from('"eventId":"'), binary: Buffer.from([0x0a, 0x24]) } as const

/** Where the ids are, and how they are counted. */
export interface FreshBodiesOptions {
  readonly protocol?: keyof typeof BEFORE_EVENT_ID
  /** The text before an event id, in bodies that are no BatchCreate requests. */
  readonly before?: string
  readonly firstCount?: number
}

const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Of the 36 characters of an event id the last 12 are replaced. */
const KEPT_CHARACTERS = 24
const COUNTER_DIGITS = 12

/**
 * Gives the bodies in turn, each time with event ids that were not there before: copies would collapse in the store, and
 * a lost row could not be told from a copy. The buffer is valid until the next call.
 */
export function createFreshBodies(
  bodies: readonly Buffer[],
  { protocol = 'json', before, firstCount = 0 }: FreshBodiesOptions = {},
): () => Buffer {
  const mark = before === undefined ? BEFORE_EVENT_ID[protocol] : Buffer.from(before)
  const templates = bodies.map((body) => ({ body: Buffer.from(body), offsets: findCounters(body, mark) }))
  let eventCount = firstCount
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

function findCounters(body: Buffer, before: Buffer): number[] {
  const offsets: number[] = []
  for (let at = body.indexOf(before); at !== -1; at = body.indexOf(before, at + 1)) {
    const start = at + before.length
    // In binary the two bytes may stand elsewhere too.
    if (EVENT_ID.test(body.toString('latin1', start, start + 36))) offsets.push(start + KEPT_CHARACTERS)
  }
  return offsets
}
