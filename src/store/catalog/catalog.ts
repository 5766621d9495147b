import { Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { durationHistogram } from '../../kernel/metrics.ts'
import { withAudit } from './audit/audit-driver.ts'
import { tenants } from './migrations/001-tenants.ts'
import { leases } from './migrations/002-leases.ts'
import { jobs } from './migrations/003-jobs.ts'
import { deletionRequests } from './migrations/004-deletion-requests.ts'
import { customers } from './migrations/010-customers.ts'
import { organisations } from './migrations/011-organisations.ts'
import { dashboards } from './migrations/012-dashboards.ts'
import { mailAndPush } from './migrations/013-mail-and-push.ts'
import { signInAttempts } from './migrations/014-sign-in-attempts.ts'
import { refreshTime } from './migrations/015-refresh-time.ts'
import { signIns } from './migrations/016-sign-ins.ts'
import { goals } from './migrations/017-goals.ts'
import { projectOptions } from './migrations/018-project-options.ts'
import { projectDomains } from './migrations/019-project-domains.ts'
import { returnedLinks } from './migrations/020-returned-links.ts'
import { invitationLinks } from './migrations/021-invitation-links.ts'
import { shareOptions } from './migrations/022-share-options.ts'
import { cohorts } from './migrations/023-cohorts.ts'
import { library } from './migrations/024-library.ts'
import { recurringJobs } from './migrations/025-recurring-jobs.ts'
import { channels } from './migrations/026-channels.ts'
import { dictionary } from './migrations/027-dictionary.ts'
import { alerts } from './migrations/028-alerts.ts'
import { reports } from './migrations/029-reports.ts'
import { jobLanes } from './migrations/030-job-lanes.ts'
import { imports } from './migrations/031-imports.ts'
import { identities } from './migrations/032-identities.ts'
import { audit } from './migrations/033-audit.ts'
import { keyLimits } from './migrations/034-key-limits.ts'
import { personalTokens } from './migrations/035-personal-tokens.ts'
import { secondFactors } from './migrations/036-second-factors.ts'
import { passkeys } from './migrations/037-passkeys.ts'
import { assistants } from './migrations/038-assistants.ts'
import { projectRoles } from './migrations/039-project-roles.ts'
import { projectRetention } from './migrations/040-project-retention.ts'
import { auditObjects } from './migrations/041-audit-objects.ts'
import { dashboardGuests } from './migrations/042-dashboard-guests.ts'
import { invitationRoles } from './migrations/043-invitation-roles.ts'
import { invitationMails } from './migrations/044-invitation-mails.ts'
import { createPostgresDialect } from './postgres-dialect.ts'
import type { CatalogSchema } from './schema/catalog-schema.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { isPostgres } from './transaction.ts'

/** The relational store. Close it with `destroy()`. */
export type Catalog = Kysely<CatalogSchema>

/** Location of the catalog. */
export interface CatalogLocation {
  /** Folder of the embedded database. */
  readonly dataDir: string
  /** A PostgreSQL server, instead of the embedded database. */
  readonly databaseUrl?: string | undefined
}

/** All migrations; they run in the order of their names. Append only. */
const MIGRATIONS = {
  '001-tenants': tenants,
  '002-leases': leases,
  '003-jobs': jobs,
  '004-deletion-requests': deletionRequests,
  '010-customers': customers,
  '011-organisations': organisations,
  '012-dashboards': dashboards,
  '013-mail-and-push': mailAndPush,
  '014-sign-in-attempts': signInAttempts,
  '015-refresh-time': refreshTime,
  '016-sign-ins': signIns,
  '017-goals': goals,
  '018-project-options': projectOptions,
  '019-project-domains': projectDomains,
  '020-returned-links': returnedLinks,
  '021-invitation-links': invitationLinks,
  '022-share-options': shareOptions,
  '023-cohorts': cohorts,
  '024-library': library,
  '025-recurring-jobs': recurringJobs,
  '026-channels': channels,
  '027-dictionary': dictionary,
  '028-alerts': alerts,
  '029-reports': reports,
  '030-job-lanes': jobLanes,
  '031-imports': imports,
  '032-identities': identities,
  '033-audit': audit,
  '034-key-limits': keyLimits,
  '035-personal-tokens': personalTokens,
  '036-second-factors': secondFactors,
  '037-passkeys': passkeys,
  '038-assistants': assistants,
  '039-project-roles': projectRoles,
  '040-project-retention': projectRetention,
  '041-audit-objects': auditObjects,
  '042-dashboard-guests': dashboardGuests,
  '043-invitation-roles': invitationRoles,
  '044-invitation-mails': invitationMails,
} as const satisfies Record<string, Migration>

/** The newest schema of this release: the name of its last migration. */
export const CATALOG_SCHEMA = Object.keys(MIGRATIONS).sort().at(-1) ?? ''

/** The schema of the catalog: the name of the last executed migration. */
export async function readCatalogSchema(catalog: Catalog): Promise<string> {
  const { rows } = await sql<{
    readonly name: string | null
  }>`SELECT max(name) AS name FROM kysely_migration`.execute(catalog)
  return rows[0]?.name ?? ''
}

/** Writes a consistent snapshot of the embedded catalog while other processes go on writing. */
export async function copyCatalog(catalog: Catalog, path: string): Promise<void> {
  await sql`VACUUM INTO ${path}`.execute(catalog)
}

const statementSeconds = durationHistogram(
  'millrace_catalog_seconds',
  'Duration of a catalog statement, by outcome: ok or failed.',
  ['outcome'],
)

/** Opens the catalog: on the configured PostgreSQL server, else embedded in the data folder. */
export function openCatalog({ dataDir, databaseUrl }: CatalogLocation): Catalog {
  const dialect =
    databaseUrl === undefined ? createSqliteDialect(dataDir) : createPostgresDialect(databaseUrl)
  return new Kysely<CatalogSchema>({
    dialect: withAudit(dialect),
    log: ({ level, queryDurationMillis }) =>
      statementSeconds.observe({ outcome: level === 'error' ? 'failed' : 'ok' }, queryDurationMillis / 1000),
  })
}

/** Kysely's message for an executed migration that this release does not have. */
const UNKNOWN_MIGRATION = /previously executed migration (\S+) is missing/

/** Migrates the catalog to the newest schema; several processes may run it at once. */
export async function migrateCatalog(catalog: Catalog): Promise<void> {
  const migrator = new Migrator({ db: catalog, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  const unknown = error instanceof Error ? UNKNOWN_MIGRATION.exec(error.message)?.[1] : undefined
  if (unknown !== undefined) {
    throw new Error(
      `a newer release has applied the migration ${unknown}, which this release does not have; upgrade Millrace`,
    )
  }
  if (error !== undefined) throw new Error('the catalog could not be migrated', { cause: error })
}

/**
 * Writes the write-ahead log back into the database file and truncates it, so that it keeps no old pages. A concurrent
 * reader may prevent the truncation; a later checkpoint then catches up. PostgreSQL does this by itself.
 */
export async function checkpointCatalog(catalog: Catalog): Promise<void> {
  if (isPostgres(catalog)) return
  await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(catalog)
}

/** The version that the catalog's PostgreSQL server reports. */
export async function readPostgresVersion(
  catalog: Catalog,
): Promise<{ readonly text: string; readonly major: number }> {
  const { rows } = await sql<{ readonly server_version: string }>`SHOW server_version`.execute(catalog)
  const text = rows[0]?.server_version ?? ''
  return { text, major: Number.parseInt(text, 10) }
}
