import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { asOrganisationId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AuditEntryTable } from '../../store/catalog/schema/audit-tables.ts'
import { deleteOldEntries, type EntryFilter, type EntryPosition, listEntries } from './audit-entries.ts'

const ENTRY: AuditEntryTable = {
  id: '',
  organisation_id: 'o',
  time_ms: 1,
  actor_kind: 'account',
  actor_id: 'ada',
  actor_name: '',
  credential_kind: 'session',
  credential_id: 's1',
  address: '192.0.2.7',
  action: 'goal.create',
  object_id: 'g1',
  object_name: 'Paid',
  project_id: 1,
  changes: '[]',
  request_id: 'r1',
}

async function addEntries(catalog: Catalog, rows: readonly Partial<AuditEntryTable>[]): Promise<void> {
  const values = rows.map((row, index) => ({ ...ENTRY, id: `e${index}`, time_ms: index + 1, ...row }))
  await catalog.insertInto('audit_entries').values(values).execute()
}

async function addOrganisations(catalog: Catalog, ids: readonly string[]): Promise<void> {
  const values = ids.map((id) => ({ id, display_name: id, created_ms: 1 }))
  await catalog.insertInto('organisations').values(values).execute()
}

async function listIds(catalog: Catalog, filter: EntryFilter = {}, after?: EntryPosition): Promise<string[]> {
  const organisationId = asOrganisationId('o')
  return (await listEntries(catalog, { organisationId, filter, after, count: 100 })).map(({ id }) => id)
}

async function leftIds(catalog: Catalog): Promise<string[]> {
  const rows = await catalog
    .selectFrom('audit_entries')
    .select('id')
    .orderBy('time_ms')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

describeCatalog('entries of the audit log', (under) => {
  test.each<readonly [string, EntryFilter, readonly string[]]>([
    ['no filter', {}, ['e4', 'e3', 'e2', 'e1', 'e0']],
    ['an actor', { actorId: 'bob' }, ['e1']],
    ['an action', { action: 'goal.delete' }, ['e2']],
    ['an object by either of its ids', { objectIds: ['g2', 'digest-g2'] }, ['e4', 'e3']],
    ['a credential', { credentialId: 's2' }, ['e1']],
    ['a period', { fromMs: 2, toMs: 4 }, ['e2', 'e1']],
    ['several conditions', { actorId: 'ada', objectIds: ['g2', 'digest-g2'], fromMs: 5 }, ['e4']],
  ])('are listed by %s, newest first, of one organisation', async (_, filter, expected) => {
    const { catalog } = under
    await addEntries(catalog, [
      {},
      { actor_id: 'bob', credential_id: 's2' },
      { action: 'goal.delete' },
      { object_id: 'g2' },
      { object_id: 'digest-g2' },
      { organisation_id: 'other' },
      { organisation_id: '', object_id: 'g2' },
    ])
    expect(await listIds(catalog, filter)).toEqual(expected)
  })

  test('of one millisecond are continued by their ids', async () => {
    const { catalog } = under
    await addEntries(catalog, [{ time_ms: 7 }, { time_ms: 7 }, { time_ms: 7 }, { time_ms: 6 }])
    expect(await listIds(catalog, {}, { timeMs: 7, id: 'e1' })).toEqual(['e0', 'e3'])
    expect(await listIds(catalog, { objectIds: ['g1', 'x'] }, { timeMs: 7, id: 'e1' })).toEqual(['e0', 'e3'])
  })

  test('are deleted when they are too old', async () => {
    const { catalog } = under
    await addOrganisations(catalog, ['o', 'p'])
    await addEntries(catalog, [{}, { organisation_id: 'p' }, { organisation_id: '' }, {}])
    expect(await deleteOldEntries(catalog, { beforeMs: 4, countMax: 1000 })).toBe(3)
    expect(await leftIds(catalog)).toEqual(['e3'])
  })

  test('are deleted when their organisation has too many, the oldest first', async () => {
    const { catalog } = under
    await addOrganisations(catalog, ['o', 'p'])
    await addEntries(catalog, [{}, {}, { organisation_id: 'p' }, {}, {}])
    expect(await deleteOldEntries(catalog, { beforeMs: 0, countMax: 2 })).toBe(2)
    expect(await leftIds(catalog)).toEqual(['e2', 'e3', 'e4'])
  })

  test('are counted in parts: more than one statement passes over', async () => {
    const { catalog } = under
    await addOrganisations(catalog, ['o'])
    await sql`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20011)
      INSERT INTO audit_entries
      SELECT 'e' || n, 'o', n, 'account', 'ada', '', 'session', 's', '', 'goal.create', 'g', '', 1, '[]', ''
      FROM numbers`.execute(catalog)
    expect(await deleteOldEntries(catalog, { beforeMs: 0, countMax: 20_001 })).toBe(10)
    const { time_ms: oldest } = await catalog
      .selectFrom('audit_entries')
      .select('time_ms')
      .orderBy('time_ms')
      .executeTakeFirstOrThrow()
    expect(oldest).toBe(11)
  })
})
