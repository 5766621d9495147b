import { createHmac } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'

/** What one visitor's events have in common. */
export interface Visitor {
  readonly projectId: ProjectId
  /** Canonical text; see `canonicalAddress`. */
  readonly ip: string
  readonly userAgent: string
}

const ID_BYTES = 16

/** The prefix of derived ids, which clients may not send (spec.md "Event"). */
export const COOKIELESS_PREFIX = 'cookieless-'

/** The visitor's id under a day's salt (semantics.md "Cookieless"); the project is its decimal number. */
export function deriveDistinctId(salt: Uint8Array, { projectId, ip, userAgent }: Visitor): string {
  const digest = createHmac('sha256', salt).update(`${projectId}\0${ip}\0${userAgent}`).digest()
  return COOKIELESS_PREFIX + digest.toString('base64url', 0, ID_BYTES)
}
