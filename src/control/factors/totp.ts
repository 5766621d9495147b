import { Secret, TOTP } from 'otpauth'

/** 160 bits, the length of the hash (RFC 4226, section 4). */
const SECRET_BYTES = 20

const PERIOD_SECONDS = 30

/** The clock of a phone may be up to 30 seconds off, and a code may be on its way (RFC 6238, section 5.2). */
const STEPS_OFF_MAX = 1

const ISSUER = 'Millrace'

/** A new secret, in Base32. */
export function generateSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The address that an authenticator app scans. */
export function secretUri(secret: string, account: string): string {
  return open(secret, account).toString()
}

/** Whether a text has the form of a code of an authenticator app. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** The time step of a code; `undefined` for a wrong code and for one of another time. */
export function findStep(secret: string, code: string, nowMs: number): number | undefined {
  const timestamp = nowMs
  const stepsOff = open(secret, '').validate({ token: code, timestamp, window: STEPS_OFF_MAX })
  return stepsOff === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + stepsOff
}

function open(secret: string, account: string): TOTP {
  const label = account === '' ? ISSUER : account
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
}
