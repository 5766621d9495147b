import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { localTable, onEveryNode } from '../../store/clickhouse/cluster.ts'
import { readSchemaVersion, SCHEMA_VERSION } from '../../store/clickhouse/migrate.ts'
import { READ_VISITS_STATE } from '../../store/clickhouse/migrations/fold-visits.ts'
import { type Check, type Finding, fail, ok, type Patient, skip, warn } from './check.ts'

/** The oldest server that the schema and the statements are tested with. */
const VERSION_MIN: readonly [number, number] = [25, 8]

/** The days of cookieless visitors follow the edge's clock, the arrival times of rows ClickHouse's. */
const SKEW_MS_MAX = 2000

/** ClickHouse delays INSERTs at about three times this number. */
const PARTS_MAX = 300

/** Without these settings, a power failure loses acknowledged INSERTs. */
const TABLE_SETTINGS = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
} as const

/** Whether ClickHouse responds and is new enough. */
export const checkClickHouse: Check = async (patient) => {
  const { clickhouseUrl } = patient.settings
  const { clickhouse } = patient
  if (clickhouse.status === 'silent') return fail(describeSilence(patient, clickhouse.error))
  if (clickhouse.status === 'absent' && patient.isServed) return fail('the service runs without its engine')
  return await withClickHouse(patient, async (client) => {
    const { version } = await readRow<{ version: string }>(client, 'SELECT version() AS version')
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isNewEnough = major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1])
    const shown = `${clickhouseUrl === undefined ? 'embedded' : 'server'} ${version}`
    return isNewEnough ? ok(shown) : fail(`${shown}; ${VERSION_MIN.join('.')} or newer is needed`)
  })
}

/** The cause, and where to look for it. */
function describeSilence({ settings: { clickhouseUrl, dataDir } }: Patient, error: string): string {
  const cause = `ClickHouse does not respond (${error.replace(/\.$/, '')})`
  if (clickhouseUrl !== undefined)
    return `${cause}; check SERVICE_CLICKHOUSE_URL, the network and the server's log`
  return `${cause}; see ${dataDir}/store/log, or kill the process (${dataDir}/run/store.pid), which the supervisor restarts`
}

/** Whether the tables are those of this release. */
export const checkSchema: Check = async (patient) =>
  await withClickHouse(patient, async (clickhouse) => {
    const { tables } = await readRow<{ tables: string }>(
      clickhouse,
      `SELECT toString(count()) AS tables FROM system.tables WHERE database = currentDatabase() AND name = 'migrations'`,
    )
    const version = tables === '0' ? 0 : await readSchemaVersion(clickhouse)
    if (version > SCHEMA_VERSION)
      return fail(`schema ${version} belongs to a newer release; this release supports ${SCHEMA_VERSION}`)
    if (version === SCHEMA_VERSION) return ok(`schema ${version}`)
    return warn(
      `schema ${version} is older than ${SCHEMA_VERSION}; the next start, or millrace migrate, upgrades it`,
    )
  })

/** Whether `events` has the settings that durability depends on. */
export const checkTableSettings: Check = async (patient) =>
  await withEvents(patient, async (_, { engine }) => {
    const settings = Object.entries(TABLE_SETTINGS)
    const lacking = settings.filter(([name, min]) => settingOf(engine, name) < min)
    if (lacking.length === 0) return ok(`${settings.map(([name]) => name).join(', ')} are set`)
    const list = lacking.map(([name, min]) => `${name} (at least ${min})`).join(', ')
    return fail(`events lacks ${list}; see ALTER TABLE events MODIFY SETTING`)
  })

/** Whether the clocks of ClickHouse and of this machine agree. */
export const checkClock: Check = async (patient) =>
  await withClickHouse(patient, async (clickhouse) => {
    const beforeMs = patient.clock.nowMs()
    const { ms } = await readRow<{ ms: string }>(
      clickhouse,
      'SELECT toString(toUnixTimestamp64Milli(now64(3))) AS ms',
    )
    const afterMs = patient.clock.nowMs()
    // The server read its clock between the two local readings.
    const ahead = Math.max(0, Number(ms) - afterMs)
    const behind = Math.max(0, beforeMs - Number(ms))
    if (ahead <= SKEW_MS_MAX && behind <= SKEW_MS_MAX)
      return ok('the clocks of ClickHouse and of this machine agree')
    const [offMs, word] = ahead > behind ? [ahead, 'ahead of'] : [behind, 'behind']
    return warn(
      `ClickHouse's clock is ${(offMs / 1000).toFixed(1)} s ${word} this machine's; synchronise both with NTP`,
    )
  })

/** Whether merges keep up with INSERTs. */
export const checkParts: Check = async (patient) =>
  await withEvents(patient, async (clickhouse) => {
    const [fullest] = await readRows<{ partition: string; parts: number }>(
      clickhouse,
      `SELECT partition, toUInt32(max(count)) AS parts FROM (
        SELECT partition, count() AS count FROM ${onEveryNode(clickhouse, 'system.parts')}
        WHERE active AND database = currentDatabase() AND table = '${localTable(clickhouse, 'events')}'
        GROUP BY partition${clickhouse.cluster ? ', _shard_num' : ''}
      )
      GROUP BY partition ORDER BY parts DESC LIMIT 1`,
    )
    if (fullest === undefined) return ok('no events yet')
    const { partition, parts } = fullest
    const text = `${parts} active ${parts === 1 ? 'part' : 'parts'} in the partition ${partition}, the fullest one`
    return parts > PARTS_MAX ? warn(`${text}: merges do not keep up with INSERTs`) : ok(text)
  })

/** Whether the web overview is answered from visits, and whether they keep up with arrivals. */
export const checkVisits: Check = async (patient) => {
  if (patient.settings.visits === 'off') return ok('SERVICE_VISITS is off: the web overview reads events')
  return await withEvents(patient, async (clickhouse) => {
    const { coverages, waitingMs, startMs } = await readRow<
      Record<'coverages' | 'waitingMs' | 'startMs', number>
    >(clickhouse, READ_VISITS_STATE)
    if (waitingMs > WAITING_MS_MAX)
      return warn(
        `arrivals wait for ${Math.round(waitingMs / 60_000)} minutes to be counted in visits: the web overview is slower until then`,
      )
    if (coverages === 0) return ok('no visits are computed yet: until then the web overview reads events')
    if (startMs === 0) return ok('visits are up to date')
    const day = new Date(startMs).toISOString().slice(0, 10)
    return ok(
      `visits are up to date; those before ${day} are being computed, and the web overview reads their events`,
    )
  })
}

/** A long fold takes minutes. */
const WAITING_MS_MAX = 15 * 60_000

async function withClickHouse(
  { clickhouse, settings }: Patient,
  look: (clickhouse: ClickHouse) => Promise<Finding>,
): Promise<Finding> {
  if (clickhouse.status === 'answers') return await look(clickhouse.client)
  if (clickhouse.status === 'silent') return skip('ClickHouse does not respond')
  const isElsewhere = !settings.roles.includes('store')
  return isElsewhere
    ? fail('no ClickHouse: set SERVICE_CLICKHOUSE_URL, or run the store role on the same data folder')
    : skip('the embedded engine runs only while the service runs')
}

async function withEvents(
  patient: Patient,
  look: (clickhouse: ClickHouse, table: { readonly engine: string }) => Promise<Finding>,
): Promise<Finding> {
  return await withClickHouse(patient, async (clickhouse) => {
    const { engine } = await readRow<{ engine: string }>(
      clickhouse,
      `SELECT any(engine_full) AS engine FROM system.tables WHERE database = currentDatabase() AND name = '${localTable(clickhouse, 'events')}'`,
    )
    return engine === '' ? skip('the table does not exist yet') : await look(clickhouse, { engine })
  })
}

function settingOf(engine: string, name: string): number {
  return Number(new RegExp(`\\b${name} = '?(\\d+)`).exec(engine)?.[1] ?? 0)
}

async function readRow<T>(clickhouse: ClickHouse, query: string): Promise<T> {
  const [row] = await readRows<T>(clickhouse, query)
  if (row === undefined) throw new Error('ClickHouse returned no row')
  return row
}

async function readRows<T>(clickhouse: ClickHouse, query: string): Promise<T[]> {
  return await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<T>()
}
