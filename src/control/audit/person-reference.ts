import type { Sealer } from '../../kernel/sealer.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const DIGEST_LENGTH = 32

/**
 * A person in the audit log: the id of the profile, or a keyed digest of any other id, which may be a mail address. The log
 * outlives an erasure, so it has no personal data of users.
 */
export function personReference(sealer: Sealer, id: string): string {
  if (UUID.test(id)) return id.toLowerCase()
  return `digest-${sealer.digest({ purpose: 'audit/person', text: id }).slice(0, DIGEST_LENGTH)}`
}
