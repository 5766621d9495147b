import { systemClock } from '../../kernel/clock.ts'
import { createLogger } from '../../kernel/log.ts'
import { hasCode } from '../../pipeline/journal/files.ts'
import type { Settings } from '../../settings/settings.ts'
import { openClickHouse } from '../../store/clickhouse/client.ts'
import { type EngineEndpoint, readEngineEndpoint } from '../../store/embedded/engine.ts'
import { isFolderClaimed } from '../../store/folder-claim.ts'
import { openSharedStateStore } from '../../store/state/open-state-store.ts'
import { findClickHouse } from '../environment/clickhouse-endpoint.ts'
import { type Check, type ClickHouseState, type Finding, fail, ok, type Patient } from './check.ts'
import {
  checkClickHouse,
  checkClock,
  checkParts,
  checkSchema,
  checkTableSettings,
  checkVisits,
} from './clickhouse.ts'
import { checkCluster } from './cluster.ts'
import { checkJournal, checkQuarantine } from './journal.ts'
import {
  checkDataFolder,
  checkDisk,
  checkFiles,
  checkMemory,
  checkNode,
  checkOpenFiles,
  checkSync,
} from './machine.ts'
import { checkAdminPort, checkProxies, checkPublicPort, checkRoles } from './network.ts'
import { checkCatalog, checkPersistence, checkRecurringJobs, checkRedis, checkSecretKey } from './stores.ts'

const REQUEST_TIMEOUT_MS = 5000

/** Every check by name, in display order. The settings are checked before these. */
const CHECKS: Readonly<Record<string, Check>> = {
  node: checkNode,
  memory: checkMemory,
  'open-files': checkOpenFiles,
  files: checkFiles,
  'data-folder': checkDataFolder,
  disk: checkDisk,
  sync: checkSync,
  'public-port': checkPublicPort,
  'admin-port': checkAdminPort,
  roles: checkRoles,
  proxies: checkProxies,
  clickhouse: checkClickHouse,
  'clickhouse-schema': checkSchema,
  'clickhouse-settings': checkTableSettings,
  'clickhouse-cluster': checkCluster,
  'clickhouse-clock': checkClock,
  'clickhouse-parts': checkParts,
  'clickhouse-visits': checkVisits,
  catalog: checkCatalog,
  'secret-key': checkSecretKey,
  'recurring-jobs': checkRecurringJobs,
  redis: checkRedis,
  'redis-persistence': checkPersistence,
  journal: checkJournal,
  quarantine: checkQuarantine,
}

/** `millrace doctor` with valid settings: prints a line for each check and returns whether none failed. */
export async function runDoctor(settings: Settings): Promise<boolean> {
  print('settings', ok('valid'))
  const patient = await openPatient(settings)
  try {
    // Sequential, so that the other checks do not slow the measured syncs.
    const statuses = []
    for (const [name, check] of Object.entries(CHECKS)) {
      const finding = await run(check, patient)
      print(name, finding)
      statuses.push(finding.status)
    }
    return !statuses.includes('fail')
  } finally {
    if (patient.clickhouse.status === 'answers') await patient.clickhouse.client.close()
    await patient.redis?.close()
  }
}

/** `millrace doctor` with invalid settings. */
export function reportInvalidSettings(error: string): void {
  print('settings', fail(error))
}

async function run(check: Check, patient: Patient): Promise<Finding> {
  try {
    return await check(patient)
  } catch (error) {
    return fail(describeError(error))
  }
}

/** An AggregateError of several addresses has an empty message. */
function describeError(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const message = first instanceof Error ? first.message : String(first)
  return message.split('\n', 1)[0] ?? ''
}

async function openPatient(settings: Settings): Promise<Patient> {
  const { redisUrl, dataDir } = settings
  // The checks report connection errors.
  const log = createLogger({ role: 'doctor', level: 'silent' })
  return {
    settings,
    clock: systemClock,
    log,
    isServed: await isFolderClaimed(dataDir),
    clickhouse: await callClickHouse(settings),
    redis:
      redisUrl === undefined
        ? undefined
        : await openSharedStateStore({ url: redisUrl, clock: systemClock, log }),
  }
}

async function callClickHouse(settings: Settings): Promise<ClickHouseState> {
  try {
    return await connectToClickHouse(settings)
  } catch (error) {
    return { status: 'silent', error: describeError(error) }
  }
}

async function connectToClickHouse(settings: Settings): Promise<ClickHouseState> {
  if (settings.clickhouseUrl === undefined && !findEngine(settings.dataDir)) return { status: 'absent' }
  const client = openClickHouse(findClickHouse(settings, 'admin'), {
    application: 'millrace-doctor',
    connectionsMax: 1,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  })
  const ping = await client.ping({ select: true })
  if (ping.success) return { status: 'answers', client }
  await client.close()
  return { status: 'silent', error: describeError(ping.error) }
}

/** The endpoint file of a killed engine remains, so its process must be alive too. */
function findEngine(dataDir: string): EngineEndpoint | undefined {
  const engine = readEngineEndpoint(dataDir)
  return engine && isAlive(engine.pid) ? engine : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function print(name: string, { status, text }: Finding): void {
  process.stdout.write(`${status.padEnd(4)}  ${name.padEnd(19)}  ${text}\n`)
}
