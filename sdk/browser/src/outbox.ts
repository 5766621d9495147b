import { EVENTS } from './keys.ts'
import { erase, keysFrom, read, write } from './store.ts'
import { createUuid } from './uuid.ts'

/** Written at once when this much has gathered, so that a beacon (64 KiB) takes it. */
const SEGMENT_EVENTS_MAX = 50
const SEGMENT_CHARS_MAX = 16_000

/** The most that waits, all tabs together; the storage of an origin, which the page needs too, holds 5 million. */
const QUEUE_EVENTS_MAX = 10_000
const QUEUE_CHARS_MAX = 2_000_000

const REQUEST_CHARS_MAX = 200_000

let shared = ''
let gathered: string[] = []
let gatheredChars = 0
/** What waits in segments. Counted again whenever some come or go: other tabs add and send too. */
let storedEvents = 0
let storedChars = 0

/** Whether an event finds room in so much of the queue. */
export const hasRoom = (share = 1): boolean => {
  return (
    storedEvents + gathered.length < QUEUE_EVENTS_MAX * share &&
    storedChars + gatheredChars < QUEUE_CHARS_MAX * share
  )
}

/** Adds an event, as what it shares with its neighbours and what is its own. */
export const addEvent = (common: string, own: string): void => {
  if (common !== shared) seal()
  shared = common
  gathered.push(own)
  gatheredChars += own.length
  if (gathered.length >= SEGMENT_EVENTS_MAX || gatheredChars > SEGMENT_CHARS_MAX) seal()
}

/** Makes a segment of the gathered events; `put` stores it elsewhere than in the store. */
export const seal = (put = write): void => {
  if (gathered[0]) {
    const text = `[${shared},[${gathered.join()}]]`
    put(`${EVENTS}${createUuid()}:${gathered.length}:${text.length}`, text)
    gathered = []
    gatheredChars = 0
  }
  discard([])
}

/** Counts what waits, and gives the keys of the next segments, oldest first: one, and more up to about so many events. */
export const takeSegments = (eventsMax = 1): string[] => {
  const keys: string[] = []
  storedEvents = 0
  storedChars = 0
  for (const key of keysFrom(EVENTS)) {
    const [, , events = 0, chars = 0] = key.split(':')
    if (!keys[0] || (storedEvents < eventsMax && storedChars <= REQUEST_CHARS_MAX)) keys.push(key)
    storedEvents += +events
    storedChars += +chars
  }
  return keys
}

/** The events of a segment. */
export const readSegment = (key: string): readonly object[] => {
  try {
    const [common, list] = JSON.parse(read(key))
    return list.map((event: object) => ({ ...common, ...event }))
  } catch {
    // Another tab sent it, or the page wrote over it.
    return []
  }
}

export const discard = (keys: readonly string[]): void => {
  keys.forEach(erase)
  takeSegments()
}
