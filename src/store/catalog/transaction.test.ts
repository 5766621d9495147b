import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import type { Catalog } from './catalog.ts'
import { inTransaction, isUniqueViolation } from './transaction.ts'

async function addOrganisation(catalog: Catalog, id: string): Promise<void> {
  await catalog.insertInto('organisations').values({ id, display_name: id, created_ms: 1 }).execute()
}

async function countOrganisations(catalog: Catalog): Promise<number> {
  const { count } = await catalog
    .selectFrom('organisations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

describeCatalog('transactions', (under) => {
  test('transactions are serialisable: of many that remove all rows but the last, one row is left', async () => {
    const { catalog } = under
    const ids = Array.from({ length: 6 }, () => randomUUID())
    for (const id of ids) await addOrganisation(catalog, id)
    const removeUnlessLast = async (id: string): Promise<void> =>
      await inTransaction(catalog, async (transaction) => {
        if ((await countOrganisations(transaction)) === 1) return
        await transaction.deleteFrom('organisations').where('id', '=', id).execute()
      })
    await Promise.all(ids.map(removeUnlessLast))
    expect(await countOrganisations(catalog)).toBe(1)
  })

  test('a failed transaction leaves nothing', async () => {
    const failed = inTransaction(under.catalog, async (transaction) => {
      await addOrganisation(transaction, 'a')
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await countOrganisations(under.catalog)).toBe(0)
  })

  test('a nested transaction is part of the outer one', async () => {
    const failed = inTransaction(under.catalog, async (transaction) => {
      await inTransaction(transaction, async (inner) => await addOrganisation(inner, 'a'))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await countOrganisations(under.catalog)).toBe(0)
  })

  test('a unique violation is distinguished from other failures', async () => {
    await addOrganisation(under.catalog, 'a')
    const again = await addOrganisation(under.catalog, 'a').catch((error: unknown) => error)
    expect(isUniqueViolation(again)).toBe(true)
    const orphan = { organisation_id: 'none', display_name: '', reporting_timezone: 'UTC', created_ms: 1 }
    const other = await under.catalog
      .insertInto('projects')
      .values(orphan)
      .execute()
      .catch((error: unknown) => error)
    expect(other).toBeInstanceOf(Error)
    expect(isUniqueViolation(other)).toBe(false)
  })

  test('large numbers are read as numbers', async () => {
    await under.catalog
      .insertInto('organisations')
      .values({ id: 'a', display_name: '', created_ms: 1_800_000_000_123 })
      .execute()
    const row = await under.catalog.selectFrom('organisations').selectAll().executeTakeFirst()
    expect(row?.created_ms).toBe(1_800_000_000_123)
  })
})
