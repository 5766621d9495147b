import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { requestFixedHost } from '../../kernel/outbound/outbound-http.ts'
import { invalidCredentials } from './auth-errors.ts'

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
const KEYS_TIMEOUT_MS = 5000

/** Far more than Google's keys have. */
const KEYS_BYTES_MAX = 256 * 1024

/** Dependencies of sign-in with Google. */
export interface GoogleSignIn {
  readonly clientId: string
  /** Google's public keys. */
  readonly keys: JWTVerifyGetKey
  readonly clock: Clock
}

/** An account verified by Google. */
export interface GoogleAccount {
  readonly email: string
  readonly displayName: string | undefined
}

/** Fetches the public keys of Google's ID tokens on demand, and caches them. */
export function createGoogleKeys(keysUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(keysUrl), { [customFetch]: fetchKeys })
}

async function fetchKeys(url: string, { signal }: { readonly signal: AbortSignal }): Promise<Response> {
  const bounds = { timeoutMs: KEYS_TIMEOUT_MS, answerBytesMax: KEYS_BYTES_MAX }
  const { status, body } = await requestFixedHost(
    { url, method: 'GET', headers: {}, body: '', ...bounds },
    signal,
  )
  return new Response(new Uint8Array(body), { status })
}

/**
 * Reads an ID token of Google. Throws `unauthenticated` for an invalid token or an unverified address, and `unavailable` when
 * Google's keys cannot be fetched.
 */
export async function readGoogleToken(google: GoogleSignIn, credential: string): Promise<GoogleAccount> {
  const { email, email_verified: isVerified, name } = await verify(google, credential)
  if (typeof email !== 'string' || email === '' || isVerified !== true) throw invalidCredentials()
  return { email, displayName: typeof name === 'string' && name !== '' ? name : undefined }
}

async function verify(
  { clientId, keys, clock }: GoogleSignIn,
  credential: string,
): Promise<Record<string, unknown>> {
  try {
    const { payload } = await jwtVerify(credential, keys, {
      algorithms: ['RS256'],
      issuer: ISSUERS,
      audience: clientId,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(clock.nowMs()),
    })
    return payload
  } catch (error) {
    throw isAboutToken(error) ? invalidCredentials() : keysUnavailable(error)
  }
}

/** Whether an error is about the token; other errors are about fetching the keys. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    error.code !== errors.JOSEError.code
  )
}

function keysUnavailable(cause: unknown): ServiceError {
  return new ServiceError({
    code: 'unavailable',
    reason: 'IDENTITY_PROVIDER_UNAVAILABLE',
    message: 'Google is unavailable; try again',
    cause,
  })
}
