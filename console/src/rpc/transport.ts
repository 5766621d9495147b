import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { keepCost } from './query-cost.ts'
import { currentProject, currentToken, refreshSession } from './session.ts'

/** A call that hangs is worse than one that failed. */
const TIMEOUT_MS = 60_000

/** Sends who calls and in which project; a token that is over is renewed once. */
const authorize: Interceptor = (next) => async (request) => {
  const sentToken = currentToken()
  setHeaders(request.header)
  try {
    return await next(request)
  } catch (thrown) {
    if (ConnectError.from(thrown).code !== Code.Unauthenticated || sentToken === undefined) throw thrown
    if (currentToken() === sentToken) await refreshSession()
    setHeaders(request.header)
    return await next(request)
  }
}

function setHeaders(header: Headers): void {
  const token = currentToken()
  if (token !== undefined) header.set('authorization', `Bearer ${token}`)
  // A call that outlives its page names its own project.
  if (currentProject() !== '' && !header.has('x-project-id')) header.set('x-project-id', currentProject())
}

/** In binary, because a dashboard's answer has tens of thousands of numbers, and JSON takes longer than a frame to read. */
const CALLS = { baseUrl: location.origin, defaultTimeoutMs: TIMEOUT_MS, useBinaryFormat: true } as const

/** Carries the calls of a signed-in user, with another `fetch` than that of the browser if one is given. */
export function createTransport(fetch?: typeof globalThis.fetch): Transport {
  return createConnectTransport({ ...CALLS, interceptors: [authorize, keepCost], ...(fetch && { fetch }) })
}

/** Calls of a signed-in user: the public RPCs, which every other client can call too. */
export const transport = createTransport()
/** Calls without credentials. */
export const publicTransport = createConnectTransport(CALLS)
