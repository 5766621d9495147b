import type { Message, Outbox } from './outbox.ts'
import { parseRetryAfter } from './retry-after.ts'
import type { Store } from './store.ts'

/** Sends what the outbox holds. */
export interface Sender {
  /** Sends in so many milliseconds, or earlier when that was asked for already. */
  wake(delayMs: number): void
  /** The network is back: sends soon, unless the service asked to wait. */
  resume(): void
  /** The page may end now: hands what ends with it to the browser. */
  leave(): void
}

/** The address of the service, and the credential. */
export interface SenderOptions {
  readonly url: string
  readonly key: string
  readonly store: Store
  readonly outbox: Outbox
  /** Called when something went out, so that there is room again. */
  readonly onSent: () => void
}

const BATCH_EVENTS_MAX = 500
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 5 * 60_000
const RESUME_MS_MAX = 3_000
const TIMEOUT_MS = 30_000
/** The wait before another attempt while another tab sends. */
const BUSY_MS = 5_000
/** A sending tab holds the lease for this time: longer than a request takes. */
const LEASE_MS = 35_000
/** Browsers take 64 KiB of requests that outlive their page; a character is 3 bytes at most. */
const KEEPALIVE_CHARS_MAX = 20_000

const EVENTS_PATH = '/sdk.events.v1.EventsService/BatchCreate'
const IDENTIFY_PATH = '/sdk.profiles.v1.ProfilesSDKService/Identify'

/** Creates the sender. It sends one request at a time, and where there are Web Locks, one of all tabs. */
export function createSender({ url, key, store, outbox, onSent }: SenderOptions): Sender {
  // A text with the key in the address needs no preflight.
  const query = `?api_key=${encodeURIComponent(key)}`
  const eventsUrl = url + EVENTS_PATH + query
  const identifyUrl = url + IDENTIFY_PATH + query
  const leaseKey = `millrace:${key}:lease`
  let underWay: Message | undefined
  let isBusy = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let failureCount = 0
  let retryAt = 0
  let askedAt = 0

  const wake = (delayMs: number): void => {
    const at = Math.max(Date.now() + delayMs, retryAt)
    if (at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(flush, at - Date.now())
  }
  const flush = async (): Promise<void> => {
    dueAt = Number.POSITIVE_INFINITY
    outbox.seal()
    if (isBusy) return
    isBusy = true
    try {
      await exclusively().catch(drain)
    } catch {
      // The browser took the storage away; what waits in memory has its turn at the next event.
    }
    isBusy = false
  }
  const exclusively = async (): Promise<void> => {
    if (navigator.locks) {
      return await navigator.locks.request(leaseKey, { ifAvailable: true }, (lock) =>
        lock ? drain() : wake(BUSY_MS),
      )
    }
    // Only secure pages have locks; what goes out twice for all that is still counted once.
    if (Date.now() - +store.read(leaseKey) < LEASE_MS) return wake(BUSY_MS)
    await drain()
    store.erase(leaseKey)
  }
  const drain = async (): Promise<void> => {
    // Fewer at once after a failure: the service may refuse large requests.
    for (;;) {
      store.write(leaseKey, `${Date.now()}`)
      underWay = outbox.take(BATCH_EVENTS_MAX >> failureCount)
      if (!underWay) return
      const { segments, batch, person } = underWay
      const isDone = person ? await post(identifyUrl, person) : await deliver(batch)
      underWay = undefined
      if (!isDone) return
      failureCount = 0
      outbox.discard(segments)
      onSent()
    }
  }
  /** A batch is taken whole or not at all: of a refused one, halves are tried until only the bad event is left out. */
  const deliver = async (events: readonly object[]): Promise<boolean> => {
    if (!events[0]) return true
    const outcome = await post(eventsUrl, JSON.stringify({ events }))
    if (outcome !== 'refused' || events.length < 2) return outcome !== false
    const half = events.length >> 1
    return (await deliver(events.slice(0, half))) && (await deliver(events.slice(half)))
  }
  const post = async (address: string, body: string): Promise<true | false | 'refused'> => {
    let retryAfterMs = 0
    try {
      const response = await fetch(address, {
        method: 'POST',
        body,
        keepalive: body.length < KEEPALIVE_CHARS_MAX,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (response.ok) {
        const { droppedByReason } = await response.json()
        if (!droppedByReason?.salt_unavailable) return true
      }
      if (response.status === 400 || response.status === 413) return 'refused'
      retryAfterMs = parseRetryAfter(response.headers.get('retry-after') ?? '')
    } catch {
      // No network, no answer in time, or an answer of somebody else: later.
    }
    const backOffMs = Math.min(RETRY_MS_MIN * 2 ** failureCount++, RETRY_MS_MAX) * (0.5 + Math.random() / 2)
    askedAt = Date.now() + retryAfterMs
    retryAt = Date.now() + Math.max(retryAfterMs, backOffMs)
    wake(0)
    return false
  }
  return {
    wake,
    resume: () => {
      retryAt = askedAt
      // All tabs hear of it at the same moment.
      wake(Math.random() * RESUME_MS_MAX)
    },
    leave: () => {
      outbox.seal(store.hold)
      for (const message of outbox.heldMessages()) {
        if (underWay?.segments.includes(message.segments[0] ?? '')) continue
        const body = JSON.stringify({ events: message.batch })
        if (navigator.onLine && navigator.sendBeacon(eventsUrl, body)) outbox.discard(message.segments)
        else outbox.keep(message)
      }
      wake(0)
    },
  }
}
