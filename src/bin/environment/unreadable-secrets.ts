import { channelPurpose } from '../../control/channels/channels.ts'
import { totpPurpose } from '../../control/factors/totp-factor.ts'
import { mailProviderPurpose } from '../../control/mail/mail-provider.ts'
import type { SealedText, Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** What to do about secrets of another key, after their names. */
export const SECRET_KEY_ADVICE =
  'were sealed with another key: set SERVICE_SECRET_KEY, or restore the file secret-key that belongs to the catalog'

/** One sealed text of each kind that stays in the catalog until a user changes it. */
const SAMPLES = {
  channels: async (catalog) => {
    const row = await catalog
      .selectFrom('channels')
      .select(['id', 'sealed_config'])
      .limit(1)
      .executeTakeFirst()
    return row && { purpose: channelPurpose(row.id), sealed: row.sealed_config }
  },
  'mail providers': async (catalog) => {
    const row = await catalog
      .selectFrom('email_providers')
      .select(['organisation_id', 'sealed_config'])
      .limit(1)
      .executeTakeFirst()
    return row && { purpose: mailProviderPurpose(row.organisation_id), sealed: row.sealed_config }
  },
  'authenticator apps': async (catalog) => {
    const row = await catalog
      .selectFrom('totp_factors')
      .select(['customer_id', 'sealed_secret'])
      .limit(1)
      .executeTakeFirst()
    return row && { purpose: totpPurpose(row.customer_id), sealed: row.sealed_secret }
  },
} as const satisfies Record<string, (catalog: Catalog) => Promise<SealedText | undefined>>

/**
 * The kinds of secrets of the catalog that this key does not open: it was restored without its key, or a machine has
 * another one. Empty where nothing is sealed.
 */
export async function findUnreadableSecrets(catalog: Catalog, sealer: Sealer): Promise<readonly string[]> {
  const unreadable: string[] = []
  for (const [kind, read] of Object.entries(SAMPLES)) {
    const sample = await read(catalog)
    if (sample !== undefined && !opens(sealer, sample)) unreadable.push(kind)
  }
  return unreadable
}

function opens(sealer: Sealer, sample: SealedText): boolean {
  try {
    sealer.unseal(sample)
    return true
  } catch {
    return false
  }
}
