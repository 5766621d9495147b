// How long lists of an audit log with five million entries take, with each filter and on late pages, and what an entry costs its change.
// With `--postgres`, on a PostgreSQL server of its own.
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { asOrganisationId } from '../../src/contract/ids.ts'
import {
  deleteOldEntries,
  type EntryFilter,
  type EntryPosition,
  listEntries,
} from '../../src/control/audit/audit-entries.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { type AuditScope, recordChanges } from '../../src/store/catalog/audit/audit-scope.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'
import { isPostgres } from '../../src/store/catalog/transaction.ts'
import { openEmptyCatalog } from '../rig/catalog.ts'
import { runCommand } from '../rig/run-command.ts'
import { median } from '../summary.ts'
import type { Teardown } from '../teardown.ts'

const ORGANISATION = asOrganisationId('o')
const ADDED_AT_ONCE = 100_000
const CALLS = 5
const CHANGES = 300
const PAGE = 51

/** Milliseconds between entries: five million are a year. */
const EVERY_MS = 6307

const { values: options } = parseArgs({
  options: {
    entries: { type: 'string', default: '5000000' },
    postgres: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
const ENTRIES = Number(options.entries)

/** The entry in the middle, and the last but one page. */
const MIDDLE: EntryPosition = { timeMs: (ENTRIES / 2) * EVERY_MS, id: '' }
const LAST: EntryPosition = { timeMs: 40 * EVERY_MS, id: '' }

const LISTS: readonly (readonly [name: string, filter: EntryFilter, after?: EntryPosition])[] = [
  ['first page', {}],
  ['page in the middle', {}, MIDDLE],
  ['last page', {}, LAST],
  ['actor of half of all', { actorId: 'actor-0' }],
  ['actor of half of all, last page', { actorId: 'actor-0' }, LAST],
  ['actor of few', { actorId: 'actor-7' }],
  ['unknown actor', { actorId: 'unknown' }],
  ['action of a third', { action: 'session.sign-in' }],
  ['action of a third, last page', { action: 'session.sign-in' }, LAST],
  ['action of few', { action: 'project.delete' }],
  ['object of a tenth, by two ids', { objectIds: ['object-0', 'digest-0'] }],
  ['object of a tenth, last page', { objectIds: ['object-0', 'digest-0'] }, LAST],
  ['object of few', { objectIds: ['object-77', 'digest-77'] }],
  ['credential of a fifth', { credentialId: 'session-0' }],
  ['credential of few', { credentialId: 'session-77' }],
  ['a day', { fromMs: MIDDLE.timeMs, toMs: MIDDLE.timeMs + 86_400_000 }],
  ['a day and an actor', { fromMs: MIDDLE.timeMs, toMs: MIDDLE.timeMs + 86_400_000, actorId: 'actor-0' }],
  ['actor of half and action of few', { actorId: 'actor-0', action: 'project.delete' }],
  ['actor of half and an action that it never did', { actorId: 'actor-0', action: 'goal.delete' }],
  ['actor of half and object of few', { actorId: 'actor-0', objectIds: ['object-77', 'digest-77'] }],
  [
    'actor of half and a foreign object of a tenth',
    { actorId: 'actor-0', objectIds: ['object-9', 'digest-9'] },
  ],
  [
    'credential of a fifth and an action that it never did',
    { credentialId: 'session-0', action: 'goal.delete' },
  ],
  [
    'object of a tenth and an action of few',
    { objectIds: ['object-0', 'digest-0'], action: 'project.delete' },
  ],
]

const SCOPE: AuditScope = {
  action: 'organisation.update',
  object: 'organisation',
  actor: { kind: 'account', id: 'actor-0', name: '' },
  credential: { kind: 'session', id: 'session-0' },
  address: '192.0.2.7',
  requestId: 'r',
  organisationId: ORGANISATION,
  projectId: undefined,
  objectId: '',
  timeMs: ENTRIES * EVERY_MS,
}

await runCommand('npm run bench:audit -- [--entries <number>] [--postgres]', measure)

async function measure(teardown: Teardown): Promise<void> {
  const catalog = await openEmptyCatalog(teardown, options)
  await catalog
    .insertInto('organisations')
    .values({ id: ORGANISATION, display_name: 'O', created_ms: 1 })
    .execute()
  await reportChanges(catalog, 'empty log')
  const emptyBytes = await sizeOf(catalog)
  await fill(catalog)
  print('bytes of an entry', ((await sizeOf(catalog)) - emptyBytes) / ENTRIES)
  await reportChanges(catalog, `log of ${ENTRIES}`)
  for (const [name, filter, after] of LISTS) await reportList(catalog, name, { filter, after })
  const startMs = monotonicMs()
  await deleteOldEntries(catalog, { beforeMs: 0, countMax: ENTRIES })
  print('ms of a clean-up that finds nothing', monotonicMs() - startMs)
}

async function fill(catalog: Catalog): Promise<void> {
  for (let from = 0; from < ENTRIES; from += ADDED_AT_ONCE) {
    const to = Math.min(from + ADDED_AT_ONCE, ENTRIES)
    await sql`
      WITH RECURSIVE numbers (n) AS (SELECT CAST(${from} AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to - 1})
      INSERT INTO audit_entries (id, organisation_id, time_ms, actor_kind, actor_id, actor_name, credential_kind, credential_id, address,
        action, object_id, object_name, project_id, changes, request_id)
      SELECT 'entry-' || (n * 7919 % 9999991) || '-' || n, ${ORGANISATION}, CAST(n AS bigint) * ${EVERY_MS}, 'account',
        'actor-' || (CASE WHEN n % 2 = 0 THEN 0 ELSE n % 400 END), '', 'session',
        'session-' || (CASE WHEN n % 5 = 0 THEN 0 ELSE n % 2000 END), '2001:db8:85a3::8a2e:370:7334',
        CASE WHEN n % 3 = 0 THEN 'session.sign-in' WHEN n % 500000 = 4 THEN 'project.delete' WHEN n % 20 = 1 THEN 'goal.delete'
          ELSE 'dashboard.update-' || (n % 40) END,
        CASE WHEN n % 10 = 0 THEN 'object-0' WHEN n % 10 = 9 THEN 'object-9' ELSE 'object-' || (n % 50000) END, 'Weekly numbers',
        n % 4, '[{"object":"dashboard","id":"3a4f8a52-96d2-4b6d-9ac4-9d0c22d0a2bb","field":"display_name","before":"Weekly","after":"Weekly numbers"}]',
        'request-' || n
      FROM numbers`.execute(catalog)
  }
  // PostgreSQL does so by itself; SQLite has no statistics of the catalog.
  if (isPostgres(catalog)) await sql`ANALYZE`.execute(catalog)
}

async function sizeOf(catalog: Catalog): Promise<number> {
  const query = isPostgres(catalog)
    ? sql<{ bytes: number }>`SELECT pg_total_relation_size('audit_entries') AS bytes`
    : sql<{
        bytes: number
      }>`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`
  return Number((await query.execute(catalog)).rows[0]?.bytes)
}

async function reportList(
  catalog: Catalog,
  name: string,
  list: { readonly filter: EntryFilter; readonly after: EntryPosition | undefined },
): Promise<void> {
  const times: number[] = []
  let found = 0
  for (let index = 0; index < CALLS; index++) {
    const startMs = monotonicMs()
    found = (await listEntries(catalog, { organisationId: ORGANISATION, ...list, count: PAGE })).length
    times.push(monotonicMs() - startMs)
  }
  print(`ms of a list: ${name} (${found})`, median(times), Math.max(...times))
}

/** Changes with an entry beside ones without, in turn. */
async function reportChanges(catalog: Catalog, where: string): Promise<void> {
  const rename = async (index: number): Promise<unknown> =>
    await catalog
      .updateTable('organisations')
      .set({ display_name: `O ${index}` })
      .execute()
  const plain: number[] = []
  const recorded: number[] = []
  for (let index = 0; index < CHANGES; index++) {
    const startMs = monotonicMs()
    await rename(index)
    const halfMs = monotonicMs()
    await recordChanges(SCOPE, async () => await rename(-index))
    plain.push(halfMs - startMs)
    recorded.push(monotonicMs() - halfMs)
  }
  print(`ms of a change without an entry, ${where}`, median(plain), Math.max(...plain))
  print(`ms of a change with one, ${where}`, median(recorded), Math.max(...recorded))
}

function print(what: string, value: number, max?: number): void {
  const most = max === undefined ? '' : `, at most ${max.toFixed(1)}`
  process.stdout.write(`${what}: ${value.toFixed(1)}${most}\n`)
}
