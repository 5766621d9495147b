import type { TokenScope } from '../../../contract/token-scope.ts'
import type { TimeMs } from './time-ms.ts'

/** A personal access token of an account; only its digest is stored. */
export interface PersonalTokenTable {
  readonly id: string
  readonly customer_id: string
  readonly display_name: string
  readonly scope: TokenScope
  /** The ids of its projects, separated by spaces; empty for every project of its owner. */
  readonly projects: string
  /** Lower-case hex of the SHA-256 of the whole token. */
  readonly sha256: string
  /** For lists: the prefix and the last four characters. */
  readonly masked: string
  readonly created_ms: TimeMs
  readonly expires_ms: TimeMs
  /** 0 before the first use. */
  last_used_ms: TimeMs
}
