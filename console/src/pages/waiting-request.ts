import { createWaitingPlace, type Waiting } from './waiting-place.ts'

/** A request of an assistant is open for this time. */
const WAITING_MS = 10 * 60_000

/** The form of the ids of requests: what waits can lead to no other page. */
const REQUEST_ID = /^[\w-]{1,64}$/

/** The request of an assistant whose member is about to sign in. */
interface WaitingRequest extends Waiting {
  readonly id: string
}

/** Without storage nothing waits: the landing page follows, and the member starts again in the assistant. */
const place = createWaitingPlace<WaitingRequest>(
  'millrace:assistant-request',
  ({ id }) => typeof id === 'string' && REQUEST_ID.test(id),
)

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
  place.keep({ id, untilMs: Date.now() + WAITING_MS })
}

/** The address of the page that asks about the request that waits; `undefined` without one. */
export function waitingRequestPage(): string | undefined {
  const stored = place.read()
  if (stored && stored.untilMs > Date.now()) return `/connect?request=${stored.id}`
  dropRequest()
  return undefined
}

/** Forgets the request that waits. */
export function dropRequest(): void {
  place.drop()
}
