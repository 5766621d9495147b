import { t } from '../i18n/translate.ts'
import { Failure } from './failure.ts'

/** The sign-in page of Google. The console navigates to it and loads nothing from it. */
const AUTHORIZATION_URL = 'https://accounts.google.com/o/oauth2/v2/auth'

/** Storage key for the values that bind the response to this tab; they are no secrets. */
const STORAGE_KEY = 'millrace:google'

const RANDOM_BYTES = 24

/** The response of Google. */
export type GoogleAnswer =
  | { readonly kind: 'credential'; readonly credential: string }
  | { readonly kind: 'refused'; readonly failure: Failure }

interface Asked {
  readonly state: string
  readonly nonce: string
}

/** Navigates to Google, which redirects to `/sign-in` with an ID token in the fragment, which no server receives. */
export function goToGoogle(clientId: string): void {
  const asked: Asked = { state: createRandomText(), nonce: createRandomText() }
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(asked))
  } catch {
    throw refused(t('signIn.googleStorage'))
  }
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: `${location.origin}/sign-in`,
    response_type: 'id_token',
    scope: 'openid email profile',
    prompt: 'select_account',
    ...asked,
  })
  location.assign(`${AUTHORIZATION_URL}?${query}`)
}

/**
 * Removes the response of Google from the address, if there is one. It is valid once and only in the tab that requested it,
 * so that a crafted link cannot sign a user in to another account.
 */
export function takeGoogleAnswer(): GoogleAnswer | undefined {
  const answer = new URLSearchParams(location.hash.slice(1))
  if (!answer.has('state')) return undefined
  history.replaceState(undefined, '', location.pathname)
  const asked = takeAsked()
  if (!asked || answer.get('state') !== asked.state) {
    return {
      kind: 'refused',
      failure: refused(t('signIn.googleOther')),
    }
  }
  const credential = answer.get('id_token') ?? ''
  if (credential === '') {
    const reason = answer.get('error') ?? '—'
    return { kind: 'refused', failure: refused(t('signIn.googleRefused', { reason })) }
  }
  if (readNonce(credential) !== asked.nonce) {
    return {
      kind: 'refused',
      failure: refused(t('signIn.googleOther')),
    }
  }
  return { kind: 'credential', credential }
}

function takeAsked(): Asked | undefined {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY)
    sessionStorage.removeItem(STORAGE_KEY)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The nonce of a token; the service verifies the signature. */
function readNonce(token: string): unknown {
  try {
    const [, payload = ''] = token.split('.')
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const claims: { readonly nonce?: unknown } = JSON.parse(text)
    return claims.nonce
  } catch {
    return undefined
  }
}

function createRandomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function refused(message: string): Failure {
  return new Failure({ code: 'unauthenticated', message })
}
