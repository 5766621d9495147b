import type { TimeMs } from './time-ms.ts'

/** The authenticator app of an account. */
export interface TotpFactorTable {
  readonly customer_id: string
  sealed_secret: string
  /** The time step of the newest accepted code: older codes, and the same one, are not accepted again. */
  last_step: number
  created_ms: TimeMs
  /** The last time at which the account proved its second factor, by a code of the app or a recovery code. */
  last_ms: TimeMs
}

/** A recovery code that is left; a used one is deleted. */
export interface RecoveryCodeTable {
  readonly customer_id: string
  /** Keyed digest. */
  readonly digest: string
}

/** A passkey of an account. */
export interface PasskeyTable {
  readonly id: string
  readonly customer_id: string
  display_name: string
  /** The host name for which it was created. */
  readonly rp_id: string
  /** Base64url. */
  readonly credential_id: string
  /** COSE key (RFC 9052), in base64url. */
  readonly public_key: string
  /** How browsers reach it, as a JSON array. */
  readonly transports: string
  /** The counter of its newest signature; 0 of a passkey that counts none. */
  sign_count: number
  readonly created_ms: TimeMs
  /** 0 if it was never used. */
  last_used_ms: TimeMs
}
