/** Milliseconds since the Unix epoch. */
type TimeMs = number

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
