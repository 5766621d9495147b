import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import { invalidResponse } from './oidc-errors.ts'
import type { ProviderClient } from './provider-client.ts'
import { explainFailure } from './provider-failure.ts'

/** The event that makes a token one of a logout (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Only keys that the provider publishes: a secret that this service shares proves nothing about the sender. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const CLOCK_TOLERANCE_SECONDS = 60

/** Older tokens are rejected, so that the mark of a used one outlives it. */
const AGE_SECONDS_MAX = 600

/** A logout at a provider. */
export interface ProviderLogout {
  /** Empty when only the session is named. */
  readonly subject: string
  /** Empty when every session of the subject has ended. */
  readonly providerSession: string
  /** Identifies the token. */
  readonly tokenId: string
}

/** Reads a logout token. Throws `unauthenticated` and `unavailable`. */
export async function readLogoutToken(
  client: ProviderClient,
  token: string,
  clock: Clock,
): Promise<ProviderLogout> {
  const { provider } = client
  const claims = await verify(client, token, clock)
  const { sub = '', sid = '', jti, nonce, events } = claims
  const hasEvent = typeof events === 'object' && events !== null && LOGOUT_EVENT in events
  // A token with a nonce is an ID token, which users can obtain.
  const isLogout = hasEvent && nonce === undefined && typeof jti === 'string' && typeof sid === 'string'
  if (!isLogout || (sub === '' && sid === '')) throw invalidResponse(provider)
  return { subject: sub, providerSession: sid, tokenId: jti }
}

async function verify(client: ProviderClient, token: string, clock: Clock): Promise<JWTPayload> {
  const { issuer, clientId } = client.provider
  const keys = await client.keys()
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience: clientId,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: AGE_SECONDS_MAX,
      requiredClaims: ['iat', 'jti', 'events'],
      currentDate: new Date(clock.nowMs()),
    })
    return payload
  } catch (error) {
    // Other errors are about fetching the keys.
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
      throw invalidResponse(client.provider)
    throw explainFailure(client.provider, error)
  }
}
