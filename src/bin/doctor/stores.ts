import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Sealer } from '../../kernel/sealer.ts'
import {
  CATALOG_SCHEMA,
  openCatalog,
  readCatalogSchema,
  readPostgresVersion,
} from '../../store/catalog/catalog.ts'
import { countRecurringJobs, type RecurringCount } from '../../store/catalog/recurring-store.ts'
import { CATALOG_FILE } from '../../store/catalog/sqlite-dialect.ts'
import { loadSecretKey, SECRET_KEY_FILE } from '../../store/secret-files.ts'
import { PERSISTENCE_ADVICE } from '../../store/state/redis-persistence.ts'
import type { RedisStateStore } from '../../store/state/redis-state-store.ts'
import { findUnreadableSecrets, SECRET_KEY_ADVICE } from '../environment/unreadable-secrets.ts'
import { type Check, type Finding, fail, ok, type Patient, skip, warn } from './check.ts'

/** The oldest release that PostgreSQL still supports. */
const POSTGRES_MAJOR_MIN = 14

/** Whether the catalog's server responds and is new enough. */
export const checkCatalog: Check = async ({ settings }) => {
  if (settings.databaseUrl === undefined)
    return ok('SERVICE_DATABASE_URL is not set: the catalog is in the data folder')
  const catalog = openCatalog(settings)
  try {
    const { text, major } = await readPostgresVersion(catalog)
    if (major >= POSTGRES_MAJOR_MIN) return ok(`PostgreSQL ${text}`)
    return fail(`PostgreSQL ${text}; ${POSTGRES_MAJOR_MIN} or newer is needed`)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return fail(`PostgreSQL does not respond: ${cause instanceof Error ? cause.message : String(cause)}`)
  } finally {
    await catalog.destroy()
  }
}

/** A recurring job starts within seconds; after a restart, some wait for others. */
const OVERDUE_MS_MAX = 600_000

/** Whether recurring jobs run on time. */
export const checkRecurringJobs: Check = async ({ settings, clock, isServed }) => {
  if (!isServed) return skip('no service runs on the data folder')
  const catalog = openCatalog(settings)
  try {
    const schema = await readCatalogSchema(catalog)
    if (schema !== CATALOG_SCHEMA) return skip(`the schema of the catalog is ${schema}, of another release`)
    return describeRecurringJobs(await countRecurringJobs(catalog), clock.nowMs())
  } finally {
    await catalog.destroy()
  }
}

/** Whether the secret key opens the secrets of the catalog. */
export const checkSecretKey: Check = async ({ settings: { dataDir, databaseUrl, secretKey } }) => {
  if (databaseUrl === undefined && !existsSync(join(dataDir, CATALOG_FILE)))
    return skip('there is no catalog yet')
  const catalog = openCatalog({ dataDir, databaseUrl })
  try {
    const schema = await readCatalogSchema(catalog)
    if (schema !== CATALOG_SCHEMA) return skip(`the schema of the catalog is ${schema}, of another release`)
    const unreadable = await findUnreadableSecrets(catalog, new Sealer(secretKey ?? readSecretKey(dataDir)))
    if (unreadable.length > 0) return fail(`${unreadable.join(', ')} ${SECRET_KEY_ADVICE}`)
    return ok('the secret key opens the secrets of the catalog')
  } finally {
    await catalog.destroy()
  }
}

/** The key of the data folder. One that is missing is not created: a random one opens nothing. */
function readSecretKey(dataDir: string): Buffer {
  const isThere = existsSync(join(dataDir, SECRET_KEY_FILE))
  return isThere ? loadSecretKey(dataDir, undefined) : randomBytes(32)
}

/** The finding on recurring jobs by kind. */
export function describeRecurringJobs(counts: readonly RecurringCount[], nowMs: number): Finding {
  const late = counts.filter(({ firstMs }) => firstMs < nowMs - OVERDUE_MS_MAX)
  if (late.length > 0) {
    const kinds = late.map(({ kind, firstMs }) => `${kind} for ${Math.floor((nowMs - firstMs) / 60_000)} min`)
    return warn(`overdue: ${kinds.join(', ')}; see the log of the query process for the reason`)
  }
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return ok(`${total} on schedule`)
}

/** The oldest release with `PXAT`. */
const REDIS_VERSION_MIN: readonly [number, number] = [6, 2]

/** Salts expire by the clock of Redis. */
const SKEW_MS_MAX = 2000

/** Whether Redis responds, is new enough, and has the right time. */
export const checkRedis: Check = async (patient) =>
  await withRedis(patient, async (redis) => {
    const { version, nowMs } = await redis.readServer()
    const skewMs = Math.abs(nowMs - patient.clock.nowMs())
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isNewEnough =
      major > REDIS_VERSION_MIN[0] || (major === REDIS_VERSION_MIN[0] && minor >= REDIS_VERSION_MIN[1])
    if (!isNewEnough) return fail(`Redis ${version}; ${REDIS_VERSION_MIN.join('.')} or newer is needed`)
    if (skewMs <= SKEW_MS_MAX) return ok(`Redis ${version}`)
    return warn(
      `Redis ${version}, its clock is ${(skewMs / 1000).toFixed(1)} s off this machine's; synchronise both with NTP`,
    )
  })

/** Whether Redis persistence is off. */
export const checkPersistence: Check = async (patient) =>
  await withRedis(patient, async (redis) => {
    const persistence = await redis.checkPersistence()
    if (persistence.status === 'off') return ok('Redis writes nothing to disk')
    if (persistence.status === 'on') return fail(PERSISTENCE_ADVICE)
    return warn(
      `the persistence of Redis cannot be checked (${persistence.cause.message}): ${PERSISTENCE_ADVICE}`,
    )
  })

async function withRedis(
  { redis }: Patient,
  look: (redis: RedisStateStore) => Promise<Finding>,
): Promise<Finding> {
  return redis ? await look(redis) : skip('SERVICE_REDIS_URL is not set: state is in the data folder')
}
