import { base64Decode } from '@bufbuild/protobuf/wire'
import { createSignal } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Failure, type JsonDetail, reasonInJson } from './failure.ts'
import { queryClient } from './query-client.ts'

/** Whether a user is signed in; `unknown` until the first refresh. */
export type SessionState = 'unknown' | 'signed-in' | 'signed-out'

const [state, setState] = createSignal<SessionState>('unknown')

const [hasEnded, setEnded] = createSignal(false)

/** Whether the session ended while the console was open, and not by signing out in this tab. */
export const hasSessionEnded = hasEnded

const [isWaiting, setWaiting] = createSignal(false)

/**
 * Whether a page waits behind the sign-in for its user to come back: its session ended by itself while it had work that is not
 * stored. A sign-in of another account ends it.
 */
export const isPageWaiting = isWaiting

/** The token is in memory only: scripts find none in storage or cookies. */
let token: string | undefined

/** The account of the token, and of the page that waits. */
let account: string | undefined

/** The project ends with the session: the next user may be no member of it, and all their calls would fail. */
let projectId = ''

/** Whether a user is signed in. */
export const sessionState = state

/** The token of calls; `undefined` without a session. */
export function currentToken(): string | undefined {
  return token
}

/** Sets the project of the following calls; empty for none. */
export function useProject(id: string): void {
  projectId = id
}

/** The project of calls; empty for none. */
export function currentProject(): string {
  return projectId
}

/** A fact that the next page shows to the user. */
export interface SignedIn {
  /** The account has lost a password that the admin who invited its user could have set. */
  readonly isPasswordRemoved: boolean
  /** Waits for a code of the account's second factor before anybody is signed in. */
  readonly isFactorDue: boolean
}

/** Signs in by a method of AuthService. Throws `Failure`. */
export async function signIn(
  method:
    | 'SignInWithEmail'
    | 'CompleteMagicLink'
    | 'CompleteOAuthSignIn'
    | 'CompleteOIDCSignIn'
    | 'CompleteSecondFactor',
  request: Readonly<Record<string, string>>,
): Promise<SignedIn> {
  const answer = await callSession(method, request)
  const isFactorDue = answer.secondFactor === true
  if (!isFactorDue) {
    if (!isWaiting()) projectId = ''
    accept(answer)
  }
  return { isPasswordRemoved: answer.passwordRemoved === true, isFactorDue }
}

let refreshing: Promise<void> | undefined

/** Gets a token for the session of the cookie, if there is one. Concurrent calls are coalesced. Throws `Failure`. */
export async function refreshSession(): Promise<void> {
  refreshing ??= inTurn(async () => {
    const sentToken = token
    const answer = await callSession('RefreshSession', {})
    // The user has signed in meanwhile.
    if (token !== sentToken) return
    if (state() === 'signed-in' && answer.token === undefined) setEnded(true)
    accept(answer)
  }).finally(() => {
    refreshing = undefined
  })
  await refreshing
}

/** Whether the page has work that its user has not stored yet. */
export const unsavedWork = new Set<() => boolean>()

/** What still needs the session, and runs before the user signs out. */
export const beforeSignOut = new Set<() => Promise<void>>()

/** Ends the session in the service and in this tab. */
export async function signOut(): Promise<void> {
  await Promise.all([...beforeSignOut].map((run) => run()))
  try {
    await callSession('SignOut', {})
  } finally {
    setEnded(false)
    accept({})
  }
}

function accept(answer: { readonly token?: string }): void {
  token = answer.token
  if (token === undefined) {
    const hasWork = hasEnded() && [...unsavedWork].some((has) => has())
    if (hasWork) setWaiting(true)
    else forgetAccount()
    setState('signed-out')
    return
  }
  const next = accountOf(token)
  if (next !== account) forgetAccount()
  account = next
  setEnded(false)
  setState('signed-in')
  setWaiting(false)
}

/** The next user must not see what this one has read. */
function forgetAccount(): void {
  account = undefined
  projectId = ''
  setWaiting(false)
  queryClient.clear()
}

/** The account of a token, which is a JWT of the service. */
function accountOf(jwt: string): string {
  const [, payload = ''] = jwt.split('.')
  const { sub }: { readonly sub: string } = JSON.parse(new TextDecoder().decode(base64Decode(payload)))
  return sub
}

/** Refreshes in one tab at a time: a refresh token is valid once. Plain HTTP has no locks; the service allows a short overlap. */
async function inTurn(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request('millrace-session', work)
  else await work()
}

/** The token, or an error. */
interface SessionAnswer {
  readonly token?: string
  readonly passwordRemoved?: boolean
  /** The second factor is due. */
  readonly secondFactor?: boolean
  /** Whether a code of an app proves it. */
  readonly hasTotp?: boolean
  /** The options with which a passkey proves it; empty for none. */
  readonly passkeyOptions?: string
  /** The page of a provider to go on at. */
  readonly authorizationUrl?: string
  readonly code?: string
  readonly message?: string
  readonly details?: readonly JsonDetail[]
}

/** Calls a method of the service that keeps secrets of the session in cookies. Throws `Failure`. */
export async function callSession(
  method: string,
  request: Readonly<Record<string, string>>,
): Promise<Omit<SessionAnswer, 'code' | 'message' | 'details'>> {
  let response: Response
  try {
    response = await fetch(`/console/session/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // Connecting a provider is a call of the account; all others ignore it.
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(request),
    })
  } catch {
    throw new Failure({ code: 'unavailable', message: t('ui.unreachable') })
  }
  const answer: SessionAnswer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new Failure({
    code: answer.code ?? 'unknown',
    message: answer.message ?? t('ui.answered', { message: String(response.status) }),
    reason: reasonInJson(answer.details),
    requestId: response.headers.get('x-request-id') ?? '',
  })
}
