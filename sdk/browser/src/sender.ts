import { EVENTS, PERSONS } from './keys.ts'
import { discard, readSegment, seal, takeSegments } from './outbox.ts'
import { parseRetryAfter } from './retry-after.ts'
import { heldKeys, hold, keysFrom, prefix, read, write } from './store.ts'

const BATCH_EVENTS_MAX = 500
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 5 * 60_000
const RESUME_MS_MAX = 3_000
const TIMEOUT_MS = 30_000
/** The wait before another attempt while another tab sends. */
const BUSY_MS = 5_000
/** Browsers take 64 KiB of requests that outlive their page; a character is 3 bytes at most. */
const KEEPALIVE_CHARS_MAX = 20_000

const EVENTS_METHOD = 'events.v1.EventsService/BatchCreate'

let addressOf: (method: string) => string
let onSent: () => void
let isBusy = false
let timer: ReturnType<typeof setTimeout> | undefined
let dueAt = Number.POSITIVE_INFINITY
let failureCount = 0
let retryAt = 0
let askedAt = 0

/** Sets where to send what the outbox holds. `afterSent` is called when something went out, so that there is room again. */
export const openSender = (url: string, key: string, afterSent: () => void): void => {
  // A text with the key in the address needs no preflight.
  addressOf = (method) => `${url}/sdk.${method}?api_key=${key}`
  onSent = afterSent
}

/** Sends in so many milliseconds, or earlier when that was asked for already. */
export const wake = (delayMs: number): void => {
  const at = Math.max(Date.now() + delayMs, retryAt)
  if (at >= dueAt) return
  clearTimeout(timer)
  dueAt = at
  timer = setTimeout(flush, at - Date.now())
}

/** The network is back: sends soon, unless the service asked to wait. */
export const resume = (): void => {
  retryAt = askedAt
  // All tabs hear of it at the same moment.
  wake(Math.random() * RESUME_MS_MAX)
}

/** The page may end now: hands what ends with it to the browser, or stores it where that is allowed. */
export const leave = (): void => {
  seal(hold)
  for (const key of heldKeys(EVENTS)) {
    const body = JSON.stringify({ events: readSegment(key) })
    if (navigator.onLine && navigator.sendBeacon(addressOf(EVENTS_METHOD), body)) discard([key])
    else write(key, read(key))
  }
  wake(0)
}

/** One request at a time, and where there are Web Locks, one of all tabs; elsewhere what goes out twice is counted once. */
const flush = async (): Promise<void> => {
  dueAt = Number.POSITIVE_INFINITY
  seal()
  if (isBusy) return
  isBusy = true
  const locks: LockManager | undefined = navigator.locks
  await (
    locks?.request(`${prefix}lease`, { ifAvailable: true }, (lock) => (lock ? drain() : wake(BUSY_MS))) ??
    drain()
  )
    .catch(drain)
    // The browser took the storage away; what waits in memory has its turn at the next event.
    .catch(() => {})
  isBusy = false
}

const drain = async (): Promise<void> => {
  for (;;) {
    const [person] = keysFrom(PERSONS)
    // Fewer at once after a failure: the service may refuse large requests.
    const keys = person ? [person] : takeSegments(BATCH_EVENTS_MAX >> failureCount)
    if (!keys[0]) return
    if (
      !(await (person
        ? post('profiles.v1.ProfilesSDKService/Identify', read(person))
        : deliver(keys.flatMap(readSegment))))
    )
      return
    failureCount = 0
    discard(keys)
    onSent()
  }
}

const deliver = (events: readonly object[]): Promise<boolean> =>
  post(EVENTS_METHOD, JSON.stringify({ events }), events)

/** Sends what a body has; `false` when it is to be sent again, later. */
const post = async (method: string, body: string, events: readonly object[] = []): Promise<boolean> => {
  let retryAfterMs = 0
  try {
    const response = await fetch(addressOf(method), {
      method: 'POST',
      body,
      keepalive: body.length < KEEPALIVE_CHARS_MAX,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // An answer of somebody else, such as a page to sign in to the network, is none.
    if (response.ok && /^\{(?!.*salt_unavailable)/.test(await response.text())) return true
    if ([400, 413].includes(response.status)) {
      // A batch is taken whole or not at all: halves are tried until only the bad event is left out.
      const half = events.length >> 1
      return !half || ((await deliver(events.slice(0, half))) && (await deliver(events.slice(half))))
    }
    retryAfterMs = parseRetryAfter(`${response.headers.get('retry-after')}`)
  } catch {
    // No network, or no answer in time: later.
  }
  const backOffMs = Math.min(RETRY_MS_MIN * 2 ** failureCount++, RETRY_MS_MAX) * (0.5 + Math.random() / 2)
  askedAt = Date.now() + retryAfterMs
  retryAt = Math.max(askedAt, Date.now() + backOffMs)
  wake(0)
  return false
}
