import { createHash, randomBytes } from 'node:crypto'

/** Where the assistant of a test takes its answer: nothing listens there. */
export const REDIRECT_URI = 'http://127.0.0.1:9/callback'

/** A registered client in the middle of connecting. */
export interface Attempt {
  readonly clientId: string
  readonly verifier: string
  /** The query of the authorization request. */
  readonly query: Readonly<Record<string, string>>
}

/** What the token endpoint answers. */
export interface TokenAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A browser without pages: it keeps cookies by path, and shows where it is sent. */
export class ScriptedBrowser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>()

  /** Requests an address without following where it leads. */
  async open(url: string): Promise<Response> {
    const { pathname } = new URL(url)
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const path = attributes.find((text) => text.startsWith('path='))?.slice(5) ?? '/'
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, { value, path })
  }
}

/** Registers a client. */
export async function register(base: string, metadata: object = {}): Promise<Response> {
  const body = { client_name: 'Test assistant', redirect_uris: [REDIRECT_URI], ...metadata }
  return await fetch(`${base}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Registers a client, and prepares its request. */
export async function begin(base: string, query: Readonly<Record<string, string>> = {}): Promise<Attempt> {
  const registered = await register(base)
  const { client_id: clientId } = (await registered.json()) as { readonly client_id: string }
  return prepare(clientId, query)
}

/** Prepares another request of a client. */
export function prepare(clientId: string, query: Readonly<Record<string, string>> = {}): Attempt {
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const own = { client_id: clientId, redirect_uri: REDIRECT_URI, response_type: 'code', state: 'the-state' }
  return { clientId, verifier, query: { ...own, code_challenge, code_challenge_method: 'S256', ...query } }
}

/** The address of an authorization request. */
export function authorizeUrl(base: string, { query }: Attempt): string {
  return `${base}/oauth2/authorize?${new URLSearchParams(query)}`
}

/** Begins a request in a browser. Returns its id, which the consent page has in its address. */
export async function ask(base: string, attempt: Attempt, browser: ScriptedBrowser): Promise<string> {
  const response = await browser.open(authorizeUrl(base, attempt))
  const location = new URL(response.headers.get('location') ?? '', base)
  const id = location.pathname === '/connect' ? location.searchParams.get('request') : null
  if (id === null) throw new Error(`the browser is sent to ${location.href}: ${await response.text()}`)
  return id
}

/** Goes back to the assistant. Returns what its address gets. */
export async function goBack(
  browser: ScriptedBrowser,
  continueUrl: string,
  redirectUri = REDIRECT_URI,
): Promise<URLSearchParams> {
  const response = await browser.open(continueUrl)
  const location = response.headers.get('location') ?? ''
  if (!location.startsWith(redirectUri)) throw new Error(`${response.status}: ${await response.text()}`)
  return new URL(location).searchParams
}

/** Posts a form to an endpoint. */
export async function post(url: string, form: Readonly<Record<string, string>>): Promise<TokenAnswer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

/** Exchanges a code for tokens. */
export async function exchange(
  base: string,
  { clientId, verifier }: Attempt,
  code: string,
  change: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  return await post(`${base}/oauth2/token`, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    code,
    ...change,
  })
}

/** Exchanges a refresh token for new tokens. */
export async function refresh(
  base: string,
  { clientId }: Pick<Attempt, 'clientId'>,
  token: unknown,
): Promise<TokenAnswer> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: String(token) }
  return await post(`${base}/oauth2/token`, form)
}
