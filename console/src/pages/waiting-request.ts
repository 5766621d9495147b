/** All tabs share it: a link to sign in opens another one. */
const STORAGE_KEY = 'millrace:assistant-request'

/** A request of an assistant is open for this time. */
const WAITING_MS = 10 * 60_000

/** The form of the ids of requests: what waits can lead to no other page. */
const REQUEST_ID = /^[\w-]{1,64}$/

/** The request of an assistant whose member is about to sign in. */
interface Waiting {
  readonly id: string
  readonly untilMs: number
}

/** The request that the page of an address asks about; `undefined` for other pages. */
export function requestOfPage({
  path,
  query,
}: {
  readonly path: string
  readonly query: URLSearchParams
}): string | undefined {
  const id = path === '/connect' ? (query.get('request') ?? '') : ''
  return REQUEST_ID.test(id) ? id : undefined
}

/** Lets a request wait for a sign-in that leads away from its page. */
export function keepRequest(id: string): void {
  const waiting: Waiting = { id, untilMs: Date.now() + WAITING_MS }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(waiting))
  } catch {
    // Storage can be switched off: the landing page follows, and the member starts again in the assistant.
  }
}

/** The address of the page that asks about the request that waits; `undefined` without one. */
export function waitingRequestPage(): string | undefined {
  const stored = readStored()
  if (stored && stored.untilMs > Date.now()) return `/connect?request=${stored.id}`
  dropRequest()
  return undefined
}

/** Forgets the request that waits. */
export function dropRequest(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Nothing is stored.
  }
}

function readStored(): Waiting | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
    return isWaiting(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isWaiting(value: unknown): value is Waiting {
  if (typeof value !== 'object' || value === null) return false
  const { id, untilMs } = value as Partial<Record<keyof Waiting, unknown>>
  return typeof id === 'string' && REQUEST_ID.test(id) && typeof untilMs === 'number'
}
