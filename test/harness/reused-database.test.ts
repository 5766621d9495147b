import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askSharedServer } from './ask-shared-server.ts'
import { type CatalogServerAccess, TEMPLATE } from './catalog-server.ts'
import { hasPostgres } from './local-postgres.ts'
import { isFastProfile } from './profile.ts'
import { ReusedDatabase } from './reused-database.ts'

const ROW = `INSERT INTO leases (name, holder, expires_ms) VALUES ('a', 'b', 1)`

describe.skipIf(isFastProfile() || !hasPostgres())('the database of a suite', () => {
  const database = new ReusedDatabase()
  let url = ''
  beforeAll(async () => {
    url = (await askSharedServer<CatalogServerAccess>('/catalog-server')).url
  })
  afterAll(async () => await database.close())

  it('is emptied for the next test, although a connection was left open', async () => {
    const first = await database.take(url, TEMPLATE)
    const client = await connect(first)
    await client.query(ROW)
    expect(await countLeases(first)).toBe(1)
    expect(await database.take(url, TEMPLATE)).toBe(first)
    expect(await countLeases(first)).toBe(0)
  })

  it.each([
    'ALTER TABLE audit_entries RENAME TO lost',
    'CREATE INDEX further ON leases (holder)',
    'ALTER TABLE leases ADD CHECK (name <> holder)',
    'ALTER TABLE leases ALTER COLUMN holder DROP NOT NULL',
    "INSERT INTO kysely_migration (name, timestamp) VALUES ('999-later', 'now')",
  ])('is a copy of the template again after %s', async (statement) => {
    const changed = await database.take(url, TEMPLATE)
    const client = await connect(changed)
    await client.query(statement)
    await client.end()
    expect(await database.take(url, TEMPLATE)).not.toBe(changed)
  })
})

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function countLeases(url: string): Promise<number> {
  const client = await connect(url)
  const { rows } = await client.query<{ readonly count: number }>('SELECT count(*)::int AS count FROM leases')
  await client.end()
  return rows[0]?.count ?? Number.NaN
}
