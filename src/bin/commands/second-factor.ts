import { canonicalEmail, findCustomerByEmail } from '../../control/customers/customers.ts'
import { removeSecondFactor } from '../../control/factors/second-factor.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { expectNoMore } from './command-words.ts'

/** `millrace second-factor list|remove`. Throws {@link FatalError} on wrong arguments. */
export async function runSecondFactor(
  settings: Settings,
  [verb, ...words]: readonly string[],
): Promise<void> {
  await withCatalog(settings, async (catalog) => {
    if (verb === 'list') await list(catalog, words)
    else if (verb === 'remove') await remove(catalog, words)
    else throw new FatalError('second-factor needs list, or remove with the email address of an account')
  })
}

async function list(catalog: Catalog, words: readonly string[]): Promise<void> {
  expectNoMore(words)
  const rows = await catalog
    .selectFrom('customers')
    .leftJoin('totp_factors', 'totp_factors.customer_id', 'customers.id')
    .leftJoin('passkeys', 'passkeys.customer_id', 'customers.id')
    .select(['customers.email', 'totp_factors.last_ms'])
    .select(({ fn }) => [
      fn.count('passkeys.id').as('passkeys'),
      fn.max('passkeys.last_used_ms').as('passkey_ms'),
    ])
    .where(({ eb, or }) => or([eb('last_ms', 'is not', null), eb('passkeys.id', 'is not', null)]))
    .groupBy(['customers.email', 'totp_factors.last_ms'])
    .orderBy('customers.email')
    .execute()
  for (const { email, last_ms, passkeys, passkey_ms } of rows) {
    const kinds = [...(last_ms === null ? [] : ['app']), ...describePasskeys(Number(passkeys))]
    // PostgreSQL answers a maximum as text.
    const lastMs = Math.max(Number(last_ms), Number(passkey_ms))
    const used = lastMs === 0 ? 'never used' : `last used ${new Date(lastMs).toISOString()}`
    process.stdout.write(`${email}  ${kinds.join(', ')}  ${used}\n`)
  }
}

function describePasskeys(count: number): string[] {
  if (count === 0) return []
  return [count === 1 ? '1 passkey' : `${count} passkeys`]
}

/** Removes the second factor of an account whose owner is locked out, and ends its sessions. */
async function remove(catalog: Catalog, [address = '', ...more]: readonly string[]): Promise<void> {
  expectNoMore(more)
  if (address === '') throw new FatalError('second-factor remove needs the email address of an account')
  await inTransaction(catalog, async (transaction) => {
    const customer = await findCustomerByEmail(transaction, canonicalEmail(address))
    if (!customer) throw new FatalError(`there is no account ${address}`)
    if (!(await removeSecondFactor(transaction, customer.id)))
      throw new FatalError(`the account ${address} has no second factor; see millrace second-factor list`)
    await transaction.deleteFrom('refresh_sessions').where('customer_id', '=', customer.id).execute()
  })
  process.stdout.write(`${canonicalEmail(address)} signs in without a second factor\n`)
}
