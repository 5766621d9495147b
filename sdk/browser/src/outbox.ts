import type { Store } from './store.ts'
import { createUuid } from './uuid.ts'

/** Waiting events are stored in segments: events with their common fields, written once and sent once. */
export interface Outbox {
  /** Adds an event; `false` when there is no room. */
  addEvent(event: OutboxEvent, extraRoom?: number): boolean
  addIdentify(message: object): void
  /** Makes a segment of the gathered events; `put` stores it elsewhere than in the store. */
  seal(put?: Store['write']): void
  /** The next segments to send, oldest first: one, and more up to about `eventsMax` events. */
  take(eventsMax: number): Message | undefined
  discard(keys: readonly string[]): void
  /** Segments that end with the page: key and message. */
  heldMessages(): Message[]
  /** Stores a segment that ends with the page, where that is allowed. */
  keep(message: Message): void
}

/** One event: what it shares with its neighbours, and what is its own. */
export interface OutboxEvent {
  readonly shared: string
  readonly own: string
}

/** The contents of one request. */
export interface Message {
  readonly segments: readonly string[]
  readonly batch: readonly object[]
  readonly person?: string
}

/** Written at once when this much has gathered, so that a beacon (64 KiB) takes it. */
const SEGMENT_EVENTS_MAX = 50
const SEGMENT_CHARS_MAX = 16_000

/** The most that waits, all tabs together; the storage of an origin, which the page needs too, holds 5 million. */
const QUEUE_EVENTS_MAX = 10_000
const QUEUE_CHARS_MAX = 2_000_000

const REQUEST_CHARS_MAX = 200_000

/** Creates the outbox over a store that other tabs share. */
export function createOutbox(store: Store, prefix: string): Outbox {
  // Keys go on with `<uuid>:<events>:<chars>`, or with `<uuid>` for who somebody is, so that counting reads no texts.
  const events = `${prefix}e:`
  const persons = `${prefix}p:`
  let shared = ''
  let gathered: string[] = []
  let gatheredChars = 0
  let storedEvents = 0
  let storedChars = 0

  const count = (): void => {
    storedEvents = 0
    storedChars = 0
    for (const key of store.keysFrom(events)) {
      const [, , , , eventCount = 0, chars = 0] = key.split(':')
      storedEvents += +eventCount
      storedChars += +chars
    }
  }
  const seal = (put = store.write): void => {
    if (gathered[0]) {
      const text = `[${shared},[${gathered.join()}]]`
      const key = `${events}${createUuid()}:${gathered.length}:${text.length}`
      gathered = []
      gatheredChars = 0
      put(key, text)
    }
    count()
  }
  const read = (key: string): readonly object[] => {
    try {
      const [common, list] = JSON.parse(store.read(key))
      return list.map((event: object) => ({ ...common, ...event }))
    } catch {
      // Another tab sent it, or the page wrote over it.
      return []
    }
  }
  count()
  return {
    seal,
    addEvent: (event, extraRoom = 0) => {
      const eventCount = storedEvents + gathered.length
      const hasRoom = extraRoom || storedChars + gatheredChars < QUEUE_CHARS_MAX
      if (!hasRoom || eventCount >= QUEUE_EVENTS_MAX + extraRoom) return false
      if (event.shared !== shared) seal()
      shared = event.shared
      gathered.push(event.own)
      gatheredChars += event.own.length
      if (gathered.length >= SEGMENT_EVENTS_MAX || gatheredChars > SEGMENT_CHARS_MAX) seal()
      return true
    },
    addIdentify: (message) => {
      store.write(persons + createUuid(), JSON.stringify(message))
    },
    take: (eventsMax) => {
      const [first] = store.keysFrom(persons)
      if (first) return { segments: [first], batch: [], person: store.read(first) }
      const keys: string[] = []
      const batch: object[] = []
      let chars = 0
      for (const key of store.keysFrom(events)) {
        if (keys[0] && (batch.length >= eventsMax || chars > REQUEST_CHARS_MAX)) break
        keys.push(key)
        batch.push(...read(key))
        chars += Number(key.split(':')[5])
      }
      return keys[0] ? { segments: keys, batch } : undefined
    },
    discard: (keys) => {
      keys.forEach(store.erase)
      count()
    },
    heldMessages: () => store.heldKeys(events).map((key) => ({ segments: [key], batch: read(key) })),
    keep: ({ segments }) => {
      for (const key of segments) store.write(key, store.read(key))
    },
  }
}
