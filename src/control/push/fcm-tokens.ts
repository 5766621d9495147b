import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { OutboundError } from '../../kernel/outbound/outbound-error.ts'
import { requestOutbound, type SendRequest } from '../../kernel/outbound/outbound-http.ts'
import type { FcmAccount } from '../projects/fcm-account.ts'
import { type GoogleAnswer, type GooglePost, postToGoogle } from './google-answer.ts'

/** The push service rejects every message of this project until its owner changes something. */
export class PushRefusedError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PushRefusedError'
  }
}

/** The push service is unavailable; a retry may succeed. */
export class PushUnavailableError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PushUnavailableError'
  }
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'

/** Lifetime of a signed assertion; Google accepts at most an hour. */
const ASSERTION_SECONDS = 3600

/** Tokens that expire sooner are not used, because they could expire in flight. */
const MARGIN_MS = 60_000

const ACCOUNTS_MAX = 1000

/** Statuses after which a retry may succeed. */
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR_MIN = 500

interface CachedToken {
  readonly text: string
  readonly expiresMs: number
}

/** Exchanges service accounts for access tokens of the push service, and caches these until they expire. */
export class FcmTokens {
  readonly #clock: Clock
  readonly #fcmOrigin: string
  readonly #outbound: Outbound
  readonly #cache = new LRUCache<string, CachedToken>({ max: ACCOUNTS_MAX })

  constructor(parts: { readonly clock: Clock; readonly fcmUrl: string; readonly outbound: Outbound }) {
    this.#clock = parts.clock
    this.#fcmOrigin = new URL(parts.fcmUrl).origin
    this.#outbound = parts.outbound
  }

  /** A token of the account. Throws {@link PushRefusedError} and {@link PushUnavailableError}. */
  async read(account: FcmAccount, signal: AbortSignal): Promise<string> {
    const name = nameOf(account)
    const cached = this.#cache.get(name)
    if (cached && cached.expiresMs > this.#clock.nowMs()) return cached.text
    const token = await this.#exchange(account, signal)
    this.#cache.set(name, token)
    return token.text
  }

  /** Discards a token that was rejected. */
  forget(account: FcmAccount): void {
    this.#cache.delete(nameOf(account))
  }

  async #exchange(account: FcmAccount, signal: AbortSignal): Promise<CachedToken> {
    const url = this.#tokenUri(account)
    const form = new URLSearchParams({ grant_type: GRANT_TYPE, assertion: await this.#sign(account, url) })
    const post = {
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    }
    return this.#readAnswer(await this.#post(post, signal))
  }

  async #post(post: GooglePost, signal: AbortSignal): Promise<GoogleAnswer> {
    const send: SendRequest = async (request, until) => await requestOutbound(this.#outbound, request, until)
    try {
      return await postToGoogle({ send, post }, this.#clock, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof OutboundError && error.failure === 'refused-address')
        throw new PushRefusedError('token_uri of the service account has no public address')
      throw new PushUnavailableError('the token service cannot be reached')
    }
  }

  #readAnswer({ status, body }: GoogleAnswer): CachedToken {
    const { access_token: text, expires_in: lifetime } = body
    if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_MIN)
      throw new PushUnavailableError(`the token service is unavailable (status ${status})`)
    if (status !== 200 || typeof text !== 'string')
      throw new PushRefusedError(`the token service rejected the service account (status ${status})`)
    const lifetimeMs = (typeof lifetime === 'number' ? lifetime : 0) * 1000
    return { text, expiresMs: this.#clock.nowMs() + lifetimeMs - MARGIN_MS }
  }

  /** The token endpoint of the account. Without TLS, only the origin of the push service itself is allowed. */
  #tokenUri({ tokenUri = TOKEN_URI }: FcmAccount): string {
    const url = URL.parse(tokenUri)
    if (url?.protocol === 'https:' || url?.origin === this.#fcmOrigin) return tokenUri
    throw new PushRefusedError('token_uri of the service account must be an https URL')
  }

  async #sign({ clientEmail, privateKey }: FcmAccount, audience: string): Promise<string> {
    const nowSeconds = Math.floor(this.#clock.nowMs() / 1000)
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(clientEmail)
      .setAudience(audience)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + ASSERTION_SECONDS)
      .sign(readKey(privateKey))
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new PushRefusedError('private_key of the service account is not a valid key')
  }
}

function nameOf({ clientEmail, privateKey, tokenUri }: FcmAccount): string {
  return createHash('sha256')
    .update(JSON.stringify([clientEmail, privateKey, tokenUri]))
    .digest('hex')
}
