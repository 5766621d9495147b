import type { ClickHouse } from './client.ts'
import { EVENTS } from './migrations/001-events.ts'
import {
  type DictionaryPlace,
  IDENTITY_CLAIMS,
  identitiesDictionary,
  PROFILE_DELETIONS,
  PROFILES,
  TRAITS,
  USERS,
  USERS_VIEW,
} from './migrations/002-people.ts'
import {
  LONG_SESSIONS,
  LONG_SESSIONS_FOLD,
  SESSION_ARRIVALS,
  SESSION_ARRIVALS_VIEW,
  SESSIONS,
  SESSIONS_BACKFILL,
  SESSIONS_VIEW,
} from './migrations/003-sessions.ts'
import {
  DEVICE_USERS,
  DEVICE_USERS_VIEW,
  IDENTIFIES,
  IDENTITY_CLAIMS_VIEW,
  PROFILES_VIEW,
  TRAITS_VIEW,
} from './migrations/004-identify.ts'
import { ERASURE_IDS, ERASURE_SESSIONS, OLD_PARTS_LIFETIMES } from './migrations/005-erasure.ts'
import { DELIVERIES } from './migrations/006-deliveries.ts'

/** One forward step of the schema; every statement may run twice. */
interface ClickHouseMigration {
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
}

/** Append only: what has run somewhere is never edited. */
const MIGRATIONS: readonly ClickHouseMigration[] = [
  { version: 1, name: 'events', statements: [EVENTS] },
  {
    version: 2,
    name: 'people',
    statements: [PROFILES, IDENTITY_CLAIMS, TRAITS, USERS, USERS_VIEW, PROFILE_DELETIONS],
  },
  {
    version: 3,
    name: 'sessions',
    statements: [
      SESSIONS,
      SESSION_ARRIVALS,
      LONG_SESSIONS,
      SESSION_ARRIVALS_VIEW,
      SESSIONS_VIEW,
      SESSIONS_BACKFILL,
      LONG_SESSIONS_FOLD,
    ],
  },
  {
    version: 4,
    name: 'identify',
    statements: [
      IDENTIFIES,
      PROFILES_VIEW,
      IDENTITY_CLAIMS_VIEW,
      TRAITS_VIEW,
      DEVICE_USERS,
      DEVICE_USERS_VIEW,
    ],
  },
  {
    version: 5,
    name: 'erasure',
    statements: [ERASURE_IDS, ERASURE_SESSIONS, ...OLD_PARTS_LIFETIMES],
  },
  { version: 6, name: 'deliveries', statements: [DELIVERIES] },
]

/** As whom a dictionary of the server reads the server's own tables. */
export type LocalAccess =
  | { readonly database: string; readonly namedCollection: string }
  | { readonly database: string; readonly user: string; readonly password: string }

const MIGRATION_TABLE = `
CREATE TABLE IF NOT EXISTS migrations (
  version UInt32,
  name String,
  applied DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(applied)
ORDER BY version`

/** The newest schema that this release knows. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.map(({ version }) => version))

/**
 * Brings ClickHouse to {@link SCHEMA_VERSION} and answers the names of what was done. The caller holds the migration
 * lease. Throws when the store has a newer schema than this release knows.
 */
export async function migrateClickHouse(clickhouse: ClickHouse, localAccess: LocalAccess): Promise<string[]> {
  await clickhouse.command({ query: MIGRATION_TABLE })
  const current = await readSchemaVersion(clickhouse)
  if (current > SCHEMA_VERSION) {
    throw new Error(
      `ClickHouse has schema ${current}, newer than this release's ${SCHEMA_VERSION}; upgrade Millrace`,
    )
  }
  const pending = MIGRATIONS.filter(({ version }) => version > current)
  for (const migration of pending) {
    for (const query of migration.statements) await clickhouse.command({ query })
    await clickhouse.insert({
      table: 'migrations',
      values: [{ version: migration.version, name: migration.name }],
      format: 'JSONEachRow',
      clickhouse_settings: { async_insert: 0 },
    })
  }
  // Every time: the password in it may be another one than at the last start.
  await clickhouse.command({ query: identitiesDictionary(toDictionaryPlace(localAccess)) })
  return pending.map(({ version, name }) => `${version}-${name}`)
}

/** The version of the schema in the store; 0 when there is none. */
export async function readSchemaVersion(clickhouse: ClickHouse): Promise<number> {
  const result = await clickhouse.query({
    query: 'SELECT max(version) AS version FROM migrations',
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ version: number }>()
  return row?.version ?? 0
}

function toDictionaryPlace(access: LocalAccess): DictionaryPlace {
  const database = `\`${access.database.replaceAll('`', '``')}\``
  if ('namedCollection' in access) return { source: `NAME ${access.namedCollection}`, database }
  return { source: `USER ${quote(access.user)} PASSWORD ${quote(access.password)}`, database }
}

/** Text of the operator's settings, not of a request, as a literal. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
