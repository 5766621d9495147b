import { Secret, TOTP } from 'otpauth'

/** The code that an authenticator app with this secret shows, some steps of 30 seconds off. */
export function codeAt(secret: string, nowMs: number, stepsOff = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs + stepsOff * 30_000 })
}
