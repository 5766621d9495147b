import type { ClickHouse } from './client.ts'
import { commandEverywhere, onEveryNode } from './cluster.ts'
import { EVENTS } from './migrations/001-events.ts'
import {
  createUsersView,
  type DictionaryLocation,
  IDENTITY_CLAIMS,
  identitiesDictionary,
  PROFILE_DELETIONS,
  PROFILES,
  TRAITS,
  USERS,
} from './migrations/002-people.ts'
import {
  createLongSessionsFold,
  createSessionArrivalsView,
  createSessionsView,
  LONG_SESSIONS,
  SESSION_ARRIVALS,
  SESSIONS,
  SESSIONS_BACKFILL,
} from './migrations/003-sessions.ts'
import {
  createDeviceUsersView,
  createIdentifies,
  createIdentityClaimsView,
  createProfilesView,
  createTraitsView,
  DEVICE_USERS,
} from './migrations/004-identify.ts'
import { ERASURE_IDS, ERASURE_SESSIONS, limitOldParts } from './migrations/005-erasure.ts'
import { DELIVERIES } from './migrations/006-deliveries.ts'
import { createSessionCoverage } from './migrations/007-session-coverage.ts'
import { createClaimsIndex } from './migrations/008-claims-of-user.ts'
import { createArrivalsIndex } from './migrations/009-arrivals-of-events.ts'
import { COHORT_MEMBERS } from './migrations/010-cohort-members.ts'
import { VISIT_COVERAGE, VISITS } from './migrations/011-visits.ts'
import { createNameDaysView, createNamesView, NAME_DAYS, NAMES } from './migrations/012-names.ts'
import { leaveOutNoSession } from './migrations/013-events-without-session.ts'
import { addTraitOperations } from './migrations/014-trait-operations.ts'
import { IMPORTED_DAYS } from './migrations/015-imported-days.ts'
import { INGESTION_WARNINGS } from './migrations/016-ingestion-warnings.ts'
import { addImpliedClaims } from './migrations/017-implied-claims.ts'
import { createDayArrivalsView, DAY_ARRIVALS, DAY_CELLS, DAY_FILLS } from './migrations/018-day-cells.ts'
import { storeTimesInBits } from './migrations/019-time-codec.ts'
import { addVisitPages } from './migrations/020-visit-pages.ts'
import { countNamesInFewerSteps } from './migrations/021-names-in-fewer-steps.ts'
import { addVisitPaths } from './migrations/022-visit-paths.ts'
import { storeRepeatedInserts } from './migrations/023-repeated-inserts.ts'
import { mergeDictionariesWithKey } from './migrations/024-merged-dictionaries.ts'
import { countArrivalsByHour } from './migrations/025-hour-arrivals.ts'
import { createClusterLayout, type Layout, quoteName, quoteText, SINGLE } from './migrations/layout.ts'

/** One forward step of the schema; every statement may run twice. */
interface ClickHouseMigration {
  readonly version: number
  readonly name: string
  readonly statements: (layout: Layout) => readonly string[]
}

/** Append only: a released migration is never edited. */
const MIGRATIONS: readonly ClickHouseMigration[] = [
  { version: 1, name: 'events', statements: (layout) => layout.createTable(EVENTS) },
  {
    version: 2,
    name: 'people',
    statements: (layout) => [
      ...[PROFILES, IDENTITY_CLAIMS, TRAITS, USERS].flatMap(layout.createTable),
      createUsersView(layout),
      ...layout.createTable(PROFILE_DELETIONS),
    ],
  },
  {
    version: 3,
    name: 'sessions',
    statements: (layout) => [
      ...[SESSIONS, SESSION_ARRIVALS, LONG_SESSIONS].flatMap(layout.createTable),
      createSessionArrivalsView(layout),
      createSessionsView(layout),
      ...layout.backfill(SESSIONS_BACKFILL),
      createLongSessionsFold(layout),
    ],
  },
  {
    version: 4,
    name: 'identify',
    statements: (layout) => [
      createIdentifies(layout),
      createProfilesView(layout),
      createIdentityClaimsView(layout),
      createTraitsView(layout),
      ...layout.createTable(DEVICE_USERS),
      createDeviceUsersView(layout),
    ],
  },
  {
    version: 5,
    name: 'erasure',
    statements: (layout) => [
      ...[ERASURE_IDS, ERASURE_SESSIONS].flatMap(layout.createTable),
      ...limitOldParts(layout),
    ],
  },
  { version: 6, name: 'deliveries', statements: (layout) => layout.createTable(DELIVERIES) },
  { version: 7, name: 'session-coverage', statements: createSessionCoverage },
  { version: 8, name: 'claims-of-user', statements: createClaimsIndex },
  { version: 9, name: 'arrivals-of-events', statements: createArrivalsIndex },
  { version: 10, name: 'cohort-members', statements: (layout) => layout.createTable(COHORT_MEMBERS) },
  {
    version: 11,
    name: 'visits',
    statements: (layout) => [VISITS, VISIT_COVERAGE].flatMap(layout.createTable),
  },
  {
    version: 12,
    name: 'names',
    statements: (layout) => [
      ...[NAMES, NAME_DAYS].flatMap(layout.createTable),
      createNamesView(layout),
      createNameDaysView(layout),
    ],
  },
  { version: 13, name: 'events-without-session', statements: leaveOutNoSession },
  { version: 14, name: 'trait-operations', statements: addTraitOperations },
  { version: 15, name: 'imported-days', statements: (layout) => layout.createTable(IMPORTED_DAYS) },
  {
    version: 16,
    name: 'ingestion-warnings',
    statements: (layout) => layout.createTable(INGESTION_WARNINGS),
  },
  { version: 17, name: 'implied-claims', statements: addImpliedClaims },
  {
    version: 18,
    name: 'day-cells',
    statements: (layout) => [
      ...[DAY_ARRIVALS, DAY_FILLS, DAY_CELLS].flatMap(layout.createTable),
      createDayArrivalsView(layout),
    ],
  },
  { version: 19, name: 'time-codec', statements: storeTimesInBits },
  { version: 20, name: 'visit-pages', statements: addVisitPages },
  {
    version: 21,
    name: 'names-in-fewer-steps',
    statements: (layout) => [countNamesInFewerSteps(layout)],
  },
  { version: 22, name: 'visit-paths', statements: addVisitPaths },
  { version: 23, name: 'repeated-inserts', statements: storeRepeatedInserts },
  { version: 24, name: 'merged-dictionaries', statements: mergeDictionariesWithKey },
  { version: 25, name: 'hour-arrivals', statements: countArrivalsByHour },
]

/** The access of a dictionary of the server to the server's own tables. */
export type LocalAccess =
  | { readonly database: string; readonly namedCollection: string }
  | { readonly database: string; readonly user: string; readonly password: string }

/** The newest schema of this release. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version))

/** The statements of each version, in order. */
export function listStatements(layout: Layout): ReadonlyMap<number, readonly string[]> {
  return new Map(MIGRATIONS.map(({ version, statements }) => [version, statements(layout)]))
}

/**
 * Migrates ClickHouse to {@link SCHEMA_VERSION} and returns the names of the migrations that ran. The caller holds the
 * migration lease. Throws when the schema of the store is newer than this release.
 */
export async function migrateClickHouse(clickhouse: ClickHouse, localAccess: LocalAccess): Promise<string[]> {
  const layout = layoutOf(clickhouse, localAccess.database)
  await commandEverywhere(clickhouse, layout.migrationTable)
  const newest = await readSchemaVersion(clickhouse)
  if (newest > SCHEMA_VERSION) {
    throw new Error(
      `ClickHouse has schema ${newest}, newer than this release's ${SCHEMA_VERSION}; upgrade Millrace`,
    )
  }
  const current = (await haveSameTables(clickhouse)) ? newest : 0
  const pending = MIGRATIONS.filter(({ version }) => version > current)
  for (const { version, name, statements } of pending) {
    for (const query of statements(layout)) await commandEverywhere(clickhouse, query)
    await commandEverywhere(
      clickhouse,
      'INSERT INTO migrations (version, name) VALUES ({version:UInt32}, {name:String})',
      { query_params: { version, name }, clickhouse_settings: { async_insert: 0 } },
    )
  }
  // On every start, because its password may have changed.
  const location = toDictionaryLocation(localAccess)
  await commandEverywhere(clickhouse, identitiesDictionary(location, layout))
  return pending.map(({ version, name }) => `${version}-${name}`)
}

/** The schema version of the store; 0 without a schema. */
export async function readSchemaVersion(clickhouse: ClickHouse): Promise<number> {
  const result = await clickhouse.query({
    query: 'SELECT max(version) AS version FROM migrations',
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ version: number }>()
  return row?.version ?? 0
}

/** Whether all nodes of a cluster have the same tables: a node that was just added has none. */
export async function haveSameTables(clickhouse: ClickHouse): Promise<boolean> {
  if (!clickhouse.cluster) return true
  const result = await clickhouse.query({
    query: `
      SELECT toUInt32(uniqExact(tables)) AS counts, toUInt32(count()) AS nodes, toUInt32((
        SELECT count() FROM system.clusters WHERE cluster = {cluster:String}
      )) AS expected
      FROM (
        SELECT _shard_num AS node, count() AS tables
        FROM ${onEveryNode(clickhouse, 'system.tables')}
        WHERE database = currentDatabase() AND NOT startsWith(name, '.')
        GROUP BY node
      )`,
    query_params: { cluster: clickhouse.cluster.name },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ counts: number; nodes: number; expected: number }>()
  return row?.counts === 1 && row.nodes === row.expected
}

function layoutOf({ cluster }: ClickHouse, database: string): Layout {
  if (!cluster) return SINGLE
  const kind = cluster.nodes.length === 0 ? 'replicated' : 'plain'
  return createClusterLayout({ cluster: cluster.name, database, kind })
}

function toDictionaryLocation(access: LocalAccess): DictionaryLocation {
  const database = quoteName(access.database)
  if ('namedCollection' in access) return { source: `NAME ${access.namedCollection}`, database }
  return { source: `USER ${quoteText(access.user)} PASSWORD ${quoteText(access.password)}`, database }
}
