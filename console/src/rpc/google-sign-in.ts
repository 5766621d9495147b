import { Failure } from './failure.ts'

/** Where Google asks people who they are. The console goes there; it loads nothing from there. */
const AUTHORIZATION_URL = 'https://accounts.google.com/o/oauth2/v2/auth'

/** What this tab remembers while it is away at Google: what binds the answer to it, and no secret of anybody. */
const STORAGE_KEY = 'millrace:google'

const RANDOM_BYTES = 24

/** What Google sent the browser back with. */
export type GoogleAnswer =
  | { readonly kind: 'credential'; readonly credential: string }
  | { readonly kind: 'refused'; readonly failure: Failure }

interface Asked {
  readonly state: string
  readonly nonce: string
}

/** The client that people sign in for; `undefined` where sign-in with Google is not set up. */
export async function readGoogleClientId(): Promise<string | undefined> {
  try {
    const response = await fetch('/console/sign-in.json')
    const answer: { readonly googleClientId?: string } = response.ok ? await response.json() : {}
    return answer.googleClientId
  } catch {
    // The other ways to sign in say by themselves what is wrong.
    return undefined
  }
}

/** Leaves for Google, which sends the browser back to `/sign-in` with an ID token behind the `#`, where no server sees it. */
export function goToGoogle(clientId: string): void {
  const asked: Asked = { state: createRandomText(), nonce: createRandomText() }
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(asked))
  } catch {
    throw refused('The browser blocks the storage of this page, which the way back from Google needs.')
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
 * Takes the answer of Google out of the address, if there is one. It counts only for the tab that asked, and once: nobody is
 * signed in as somebody else by a link that was made for them.
 */
export function takeGoogleAnswer(): GoogleAnswer | undefined {
  const answer = new URLSearchParams(location.hash.slice(1))
  if (!answer.has('state')) return undefined
  history.replaceState(undefined, '', location.pathname)
  const asked = takeAsked()
  if (!asked || answer.get('state') !== asked.state) {
    return { kind: 'refused', failure: refused('This answer of Google is not for this tab. Begin again.') }
  }
  const credential = answer.get('id_token') ?? ''
  if (credential === '') {
    const reason = answer.get('error') ?? 'no reason was given'
    return { kind: 'refused', failure: refused(`Google did not sign you in: ${reason}.`) }
  }
  if (readNonce(credential) !== asked.nonce) {
    return { kind: 'refused', failure: refused('This token of Google is not for this tab. Begin again.') }
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

/** What the token says that it was asked for with; whether Google signed it is for the service to say. */
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
