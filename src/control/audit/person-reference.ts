import type { Sealer } from '../../kernel/sealer.ts'

const DIGEST_LENGTH = 32

/**
 * A person in the audit log: a keyed digest of the id. Ids may be mail addresses, and the id of a profile is a digest without a key
 * of one. The log outlives an erasure, so it has no personal data of users.
 */
export function personReference(sealer: Sealer, id: string): string {
  return `digest-${sealer.digest({ purpose: 'audit/person', text: id }).slice(0, DIGEST_LENGTH)}`
}
