import { t } from '../i18n/translate.ts'
import { parseCallbackPath } from './callback-path.ts'
import { Failure } from './failure.ts'
import { callSession, refreshSession } from './session.ts'

/** A provider that the operator has set up. */
export interface SignInProvider {
  readonly id: string
  /** The name of the provider. */
  readonly label: string
}

/** The ways to sign in that the operator has set up. */
export interface SignInWays {
  /** The OAuth client ID; absent if sign-in with Google is not configured. */
  readonly googleClientId?: string
  readonly providers: readonly SignInProvider[]
}

/** The response of a provider, as its address has it. */
export interface ProviderAnswer {
  readonly providerId: string
  readonly code: string
  readonly state: string
  readonly issuer: string
  readonly error: string
}

/** Storage key of the page to return to. */
const RETURN_KEY = 'millrace:return'

/** The ways to sign in; only those of every service if they cannot be read. */
export async function readSignInWays(): Promise<SignInWays> {
  try {
    const response = await fetch('/console/sign-in.json')
    const ways: Partial<SignInWays> = response.ok ? await response.json() : {}
    return { providers: [], ...ways }
  } catch {
    // The other ways to sign in report the error.
    return { providers: [] }
  }
}

/** Navigates to a provider to sign in. Throws `Failure`. */
export async function goToProvider(providerId: string): Promise<void> {
  keepReturn('')
  await go('StartOIDCSignIn', providerId)
}

/** Navigates to a provider to connect its user to the account, and returns to this page. Throws `Failure`. */
export async function connectProvider(providerId: string): Promise<void> {
  keepReturn(`${location.pathname}${location.search}`)
  // The token may have expired.
  await refreshSession()
  await go('Connect', providerId)
}

async function go(method: 'StartOIDCSignIn' | 'Connect', providerId: string): Promise<void> {
  const { authorizationUrl = '' } = await callSession(method, { providerId })
  // A page of any other kind would run in this origin.
  if (!/^https?:/.test(authorizationUrl)) {
    throw new Failure({ code: 'unavailable', message: t('ui.answered', { message: authorizationUrl }) })
  }
  location.assign(authorizationUrl)
}

/** Removes the response of a provider from the address, if there is one. It works in the browser that asked for it only. */
export function takeProviderAnswer(): ProviderAnswer | undefined {
  const providerId = parseCallbackPath(location.pathname)
  const answer = new URLSearchParams(location.search)
  if (providerId === undefined) return undefined
  history.replaceState(undefined, '', location.pathname)
  const read = (name: string): string => answer.get(name) ?? ''
  return {
    providerId,
    code: read('code'),
    state: read('state'),
    issuer: read('iss'),
    error: read('error') || (read('code') === '' ? 'no_code' : ''),
  }
}

function keepReturn(path: string): void {
  try {
    if (path === '') sessionStorage.removeItem(RETURN_KEY)
    else sessionStorage.setItem(RETURN_KEY, path)
  } catch {
    // Storage can be switched off: the landing page follows.
  }
}

/** The page that a provider was connected from, once. */
export function takeReturn(): string | undefined {
  try {
    const path = sessionStorage.getItem(RETURN_KEY) ?? undefined
    keepReturn('')
    return path
  } catch {
    return undefined
  }
}
