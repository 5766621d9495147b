import { createSignal } from 'solid-js'
import { Failure } from './failure.ts'

/** Whether somebody is signed in; `unknown` until the service was asked. */
export type SessionState = 'unknown' | 'signed-in' | 'signed-out'

const [state, setState] = createSignal<SessionState>('unknown')

/** The token is here and nowhere else: what reads storage or cookies finds none. */
let token: string | undefined

/** Nobody's project outlives their session: who comes next may be no member of it, and would be refused whatever they ask. */
let projectId = ''

/** Whether somebody is signed in. */
export const sessionState = state

/** The token of calls; `undefined` when nobody is signed in. */
export function currentToken(): string | undefined {
  return token
}

/** The project that calls from now on are about; empty for none. */
export function useProject(id: string): void {
  projectId = id
}

/** The project that calls are about; empty for none. */
export function currentProject(): string {
  return projectId
}

/** Signs in by a method of AuthService. Throws `Failure`. */
export async function signIn(
  method: 'SignInWithEmail' | 'CompleteMagicLink' | 'CompleteOAuthSignIn',
  request: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await post(method, request)
  projectId = ''
  accept(answer)
}

let refreshing: Promise<void> | undefined

/** Gets a token for the session of the cookie, if there is one. Calls at the same time are one. Throws `Failure`. */
export async function refreshSession(): Promise<void> {
  refreshing ??= inTurn(async () => accept(await post('RefreshSession', {}))).finally(() => {
    refreshing = undefined
  })
  await refreshing
}

/** Ends the session on the service and here. */
export async function signOut(): Promise<void> {
  try {
    await post('SignOut', {})
  } finally {
    accept({})
  }
}

function accept(answer: { readonly token?: string }): void {
  token = answer.token
  if (token === undefined) projectId = ''
  setState(token === undefined ? 'signed-out' : 'signed-in')
}

/** One tab at a time: a refresh token is good once. Plain HTTP has no locks; the service forgives then what is at once. */
async function inTurn(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request('millrace-session', work)
  else await work()
}

async function post(
  method: string,
  request: Readonly<Record<string, string>>,
): Promise<{ readonly token?: string }> {
  let response: Response
  try {
    response = await fetch(`/console/session/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
  } catch {
    throw new Failure({ code: 'unavailable', message: 'The service cannot be reached.' })
  }
  const answer: { token?: string; code?: string; message?: string } = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new Failure({
    code: answer.code ?? 'unknown',
    message: answer.message ?? `The service answered ${response.status}.`,
    requestId: response.headers.get('x-request-id') ?? '',
  })
}
