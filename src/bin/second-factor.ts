import { canonicalEmail, findCustomerByEmail } from '../control/customers/customers.ts'
import { removeSecondFactor } from '../control/factors/second-factor.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { inTransaction } from '../store/catalog/transaction.ts'
import { expectNoMore } from './command-words.ts'
import { FatalError } from './fatal-error.ts'
import { withCatalog } from './with-catalog.ts'

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
    .selectFrom('totp_factors')
    .innerJoin('customers', 'customers.id', 'totp_factors.customer_id')
    .select(['customers.email', 'last_ms'])
    .orderBy('customers.email')
    .execute()
  for (const { email, last_ms } of rows)
    process.stdout.write(`${email}  last used ${new Date(last_ms).toISOString()}\n`)
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
