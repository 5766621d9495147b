import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { invalidToken } from './access-errors.ts'

/** Lifetime of a token, and so of a stolen one; the refresh token keeps the session going. */
const LIFETIME_SECONDS = 3600

const ALGORITHM = 'HS256'
/** RFC 9068: prevents confusion with other tokens signed with the same secret. */
const TYPE = 'at+jwt'
const ISSUER = 'millrace'
const AUDIENCE = 'millrace-console'

/** The claims of a token. */
export interface TokenClaims {
  readonly customerId: CustomerId
  /** The session of the token. */
  readonly sessionId: string
  /** Time of the sign-in, in whole seconds; 0 when the token does not contain it. */
  readonly signedInMs: number
}

/** Issues and verifies the access tokens of customers (`Authorization: Bearer`). */
export class AccessTokens {
  readonly #secret: Uint8Array
  readonly #clock: Clock

  constructor(secret: Uint8Array, clock: Clock) {
    this.#secret = secret
    this.#clock = clock
  }

  /** A new token, valid for an hour. */
  async issue({ customerId, sessionId, signedInMs }: TokenClaims): Promise<string> {
    const nowSeconds = Math.floor(this.#clock.nowMs() / 1000)
    return await new SignJWT({ sid: sessionId, auth_time: Math.floor(signedInMs / 1000) })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setSubject(customerId)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + LIFETIME_SECONDS)
      .sign(this.#secret)
  }

  /** The claims of a token. Throws `unauthenticated` when it is forged, modified or expired. */
  async read(token: string): Promise<TokenClaims> {
    const payload = await this.#verify(token)
    const { sub, sid, auth_time: authTime } = payload
    if (sub === undefined || typeof sid !== 'string') throw invalidToken()
    const signedInMs = typeof authTime === 'number' ? authTime * 1000 : 0
    return { customerId: asCustomerId(sub), sessionId: sid, signedInMs }
  }

  async #verify(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sub', 'sid'],
        currentDate: new Date(this.#clock.nowMs()),
      })
      return payload
    } catch (error) {
      throw error instanceof errors.JOSEError ? invalidToken() : error
    }
  }
}
