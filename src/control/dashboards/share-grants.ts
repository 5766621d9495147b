import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { DashboardSharing } from './dashboard.ts'

/** A working day, so that a screen on the wall asks for the password every morning. */
const LIFETIME_MS = 12 * 3_600_000

/** A grant, and when it ends. */
export interface ShareGrant {
  readonly grant: string
  readonly expiresMs: number
}

/** The part of a dashboard that its grants are bound to. */
export type GrantedShare = Pick<DashboardSharing, 'shareId' | 'sharePasswordHash' | 'shareExpiresMs'>

const GRANT = /^(\d{1,15})\.([0-9a-f]{64})$/

/**
 * Grants to read a share with a password: an expiry time and its keyed digest with the share id and the hash of the password. Reading
 * costs one digest instead of one hash, nothing is stored, and a changed password ends all grants. All processes with the
 * same key accept them.
 */
export class ShareGrants {
  readonly #sealer: Pick<Sealer, 'digest'>
  readonly #clock: Clock

  constructor(sealer: Pick<Sealer, 'digest'>, clock: Clock) {
    this.#sealer = sealer
    this.#clock = clock
  }

  /** A grant for a reader who has entered the password. It ends with the share. */
  issue(share: GrantedShare): ShareGrant {
    const endMs = this.#clock.nowMs() + LIFETIME_MS
    const expiresMs = share.shareExpiresMs === 0 ? endMs : Math.min(endMs, share.shareExpiresMs)
    return { grant: `${expiresMs}.${this.#digest(share, expiresMs)}`, expiresMs }
  }

  /** Whether a text is a valid grant of the share. */
  accepts(share: GrantedShare, grant: string): boolean {
    const [, expiry = '', digest = ''] = GRANT.exec(grant) ?? []
    const expiresMs = Number(expiry)
    if (digest === '' || expiresMs <= this.#clock.nowMs()) return false
    return timingSafeEqual(Buffer.from(digest), Buffer.from(this.#digest(share, expiresMs)))
  }

  #digest({ shareId, sharePasswordHash }: GrantedShare, expiresMs: number): string {
    return this.#sealer.digest({
      purpose: `share-grant/${shareId}`,
      text: `${expiresMs}\n${sharePasswordHash}`,
    })
  }
}
