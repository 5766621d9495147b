import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { batchBodies, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { call } from '../rig/call.ts'
import { cpuMicrosPerEvent, parseJsonWork } from '../rig/cpu.ts'
import type { BenchService } from '../rig/service.ts'
import { FRESH, startOnWorld } from '../rig/twenty-tiles.ts'
import { Teardown } from '../teardown.ts'
import { folderBytes, measureDisk } from './disk.ts'
import type { Figure } from './growth-table.ts'
import { measureIngestion } from './ingestion.ts'
import { measureErasures, measurePeople } from './people.ts'
import { Probe } from './probe.ts'
import { QUESTIONS } from './questions.ts'

/** A data folder whose service does not run. */
export interface Measured {
  readonly folder: string
  /** Events of all projects. */
  readonly events: number
  /** Public keys of the projects, to which events are sent in turn; of the first one when there are none. */
  readonly keys: readonly string[]
  /** The project that is deleted at the end, unless it is the first one. */
  readonly lastProject?: string
}

const COMMAND = fileURLToPath(import.meta.resolve('../../bin/millrace.js'))
const BATCH = 100
const SETTLED_MS = 4000
const IDLE_MS = 10_000
const BACKUP_MS_MAX = 1_800_000

/** Starts the service on a folder, and measures everything in an order in which no figure disturbs the next: erasures come last. */
export async function measureService(
  measured: Measured,
  onProgress: (line: string) => void,
): Promise<readonly Figure[]> {
  const teardown = new Teardown()
  try {
    const parse = parseJsonWork(batchBodies(BATCH), FIXTURE_EVENTS)
    await cpuMicrosPerEvent(parse)
    const parseMicros = await cpuMicrosPerEvent(parse)
    const startMs = monotonicMs()
    const service = await startOnWorld(teardown, measured.folder)
    const probe = new Probe(service, onProgress)
    probe.record('this machine: JSON.parse of an event', 'µs CPU', parseMicros)
    probe.record('start until ready', 's', (monotonicMs() - startMs) / 1000)
    await sleep(SETTLED_MS)
    probe.recordStart('start and four seconds')
    await probe.recordSettling('work that was left, such as merges')
    const idleSeconds = await probe.costOf(async () => await sleep(IDLE_MS))
    probe.record('idle', 'ms CPU/s', (idleSeconds * 1e6) / IDLE_MS)
    probe.memory('memory after the start')
    await measureDisk(service, measured.events, probe)
    await askQuestions(service, probe)
    await measurePeople(service, probe)
    probe.memory('memory after the questions')
    await measureIngestion(service, measured.keys, probe)
    await measureBackup(measured.folder, { probe, teardown })
    await measureErasures(service, measured.lastProject, probe)
    return probe.figures
  } finally {
    await teardown.run()
  }
}

async function askQuestions(service: BenchService, probe: Probe): Promise<void> {
  const headers = { 'x-api-key': service.privateKey, ...FRESH }
  for (const { name, method, body } of QUESTIONS) {
    await probe.question(name, async () => await call(service, method, body, headers))
  }
}

async function measureBackup(
  dataDir: string,
  { probe, teardown }: { readonly probe: Probe; readonly teardown: Teardown },
): Promise<void> {
  // On the same disk, as an operator would: parts are linked rather than copied where they can be.
  const folder = join(dataDir, '..', `backup-of-growth-${process.pid}`)
  const own = new Teardown()
  own.removeFolder(folder)
  teardown.defer(async () => await own.run())
  const env = { SERVICE_DATA_DIR: dataDir, PATH: process.env.PATH }
  const startMs = monotonicMs()
  const cpuSeconds = await probe.costOf(
    async () =>
      await promisify(execFile)(process.execPath, [COMMAND, 'backup', folder], {
        env,
        timeout: BACKUP_MS_MAX,
      }),
  )
  probe.record('backup', 's CPU', cpuSeconds)
  probe.record('backup, duration', 's', (monotonicMs() - startMs) / 1000)
  probe.record('size of a backup', 'MB', folderBytes(folder) / 1e6)
  await own.run()
}
