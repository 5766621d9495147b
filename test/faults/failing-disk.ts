import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Prng } from '../../src/kernel/prng.ts'
import type { Role } from '../../src/kernel/settings.ts'
import { findSystemTool } from '../harness/system-tool.ts'
import { waitFor } from '../harness/wait.ts'
import { waitUntilDrained } from './drain.ts'
import type { LedgerCounts } from './ledger.ts'
import { killEverything, whileFrozen } from './process-faults.ts'
import type { Rig } from './rig.ts'
import type { Traffic } from './traffic.ts'
import type { Findings } from './verify.ts'

/** What happened while the disk of the journal failed, again and again. */
export interface FailingDiskSummary extends LedgerCounts {
  readonly findings: Findings
  readonly failures: number
  /** All requests by how they ended. */
  readonly requests: Readonly<Record<string, number>>
}

const ROLES: readonly Role[] = ['store', 'query', 'edge']
const CLIENTS = { batchEvents: 10, connections: 8, batchesPerSecond: 100, twin: 0.05, hangUp: 0.01 }
const IMAGE_BYTES = 64 * 1024 * 1024
/** What is left of the disk while it fails: its first block. */
const FAILING_BYTES = 4096
/** Shorter than the test's own limit, so that a failure says what it waited for. */
const WAIT_MS_MAX = 40_000
const PROBE_MS_MAX = 10_000
/** What a process is told by a failing disk; once the kernel has given up its file system, that nothing may be written. */
const DISK_ERRORS = /\b(EIO|EROFS)\b/

/** Whether this user may make a disk of a file, mount it, and have writers be told when it fails. */
export function canMakeDisk(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-disk-'))
  try {
    const disk = new LoopDisk(folder)
    try {
      disk.mount(join(folder, 'mounted'))
      disk.fail()
      return isRefusedWrite(join(folder, 'mounted', 'probe'))
    } finally {
      disk.destroy()
    }
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In a process of its own: a write to a disk that is gone may hang. */
function isRefusedWrite(path: string): boolean {
  const { status, signal } = spawnSync(
    toolPath('dd'),
    ['if=/dev/zero', `of=${path}`, 'bs=4k', 'count=1', 'conv=fsync'],
    { stdio: 'ignore', timeout: PROBE_MS_MAX, killSignal: 'SIGKILL' },
  )
  return signal === null && status !== 0
}

/**
 * Puts the journal, which must be drained, on a disk that fails at a moment under load, `failures` times; each
 * time the disk comes back as it was at that moment. Afterwards the service runs without that disk.
 */
export async function runFailingDisk(
  rig: Rig,
  traffic: Traffic,
  run: { readonly seed: number; readonly failures: number },
): Promise<FailingDiskSummary> {
  const { service } = rig
  const prng = new Prng(run.seed)
  const folder = mkdtempSync(join(tmpdir(), 'millrace-disk-'))
  const journal = join(service.dataDir, 'journal')
  await killEverything(service, ROLES, prng)
  const disk = new LoopDisk(folder)
  try {
    disk.mount(journal)
    await service.launch()
    return await failUnderLoad(rig, traffic, { ...run, disk, journal, prng })
  } finally {
    await killEverything(service, ROLES, prng).finally(() => disk.destroy())
    rmSync(folder, { recursive: true, force: true })
    await service.launch()
  }
}

async function failUnderLoad(
  rig: Rig,
  traffic: Traffic,
  run: { readonly disk: LoopDisk; readonly journal: string; readonly prng: Prng; readonly failures: number },
): Promise<FailingDiskSummary> {
  const { service } = rig
  const { disk, journal, prng, failures } = run
  const load = await traffic.underLoad({ ...CLIENTS, prng }, async () => {
    for (let failure = 0; failure < failures; failure++) {
      await waitForProgress(traffic)
      await breakDisk(rig, disk)
      await killEverything(service, ROLES, prng)
      disk.mend(journal)
      await service.launch()
    }
    await waitForProgress(traffic)
  })
  await load.finish(WAIT_MS_MAX)
  await waitUntilDrained(service)
  const { findings } = await traffic.check()
  return { ...traffic.ledger.counts(), findings, failures, requests: Object.fromEntries(load.requests) }
}

/** Resolves when more was acknowledged than now. */
async function waitForProgress({ ledger }: Traffic): Promise<void> {
  const { acknowledged } = ledger.counts()
  await waitFor(
    'batches to be taken',
    () => (ledger.counts().acknowledged > acknowledged + 100 ? true : undefined),
    WAIT_MS_MAX,
  )
}

/** Lets the disk fail while the edge stands still, and resolves when the edge has found out and ended. */
async function breakDisk({ service, kills }: Rig, disk: LoopDisk): Promise<void> {
  const pid = service.pid('edge')
  const already = countFailures(service.output.stderr)
  await whileFrozen(pid, async () => disk.fail())
  await waitFor(
    'the journal to fail',
    () => (countFailures(service.output.stderr) > already ? true : undefined),
    WAIT_MS_MAX,
  )
  kills.count++
}

/** Times that an edge ended because of an error of the journal's disk. */
function countFailures(log: string): number {
  const lines = log
    .split('\n')
    .filter((line) => line.includes('the journal failed; the process ends and recovers'))
  return lines.filter((line) => DISK_ERRORS.test(line)).length
}

/** A disk made of a file, whose every access can be made to fail (EIO) as that of a broken one. */
class LoopDisk {
  readonly #image: string
  readonly #kept: string
  readonly #device: string
  #mounted: string | undefined

  constructor(folder: string) {
    this.#image = join(folder, 'disk')
    this.#kept = join(folder, 'disk-kept')
    runTool('truncate', '-s', String(IMAGE_BYTES), this.#image)
    runTool('mkfs.ext4', '-q', '-F', this.#image)
    this.#device = runTool('losetup', '--find', '--show', this.#image).trim()
  }

  mount(folder: string): void {
    mkdirSync(folder, { recursive: true })
    runTool('mount', this.#device, folder)
    this.#mounted = folder
  }

  /** From now on accesses end in EIO. Nobody may write meanwhile: what a sync has promised must be in the copy. */
  fail(): void {
    runTool('sync', '--file-system', this.#mounted ?? '/')
    copyFileSync(this.#image, this.#kept)
    truncateSync(this.#image, FAILING_BYTES)
    runTool('losetup', '--set-capacity', this.#device)
  }

  /** Brings back what the disk held when it began to fail, and repairs the file system. */
  mend(folder: string): void {
    copyFileSync(this.#kept, this.#image)
    runTool('losetup', '--set-capacity', this.#device)
    this.#unmount()
    // 1: something was repaired.
    spawnSync(toolPath('e2fsck'), ['-f', '-y', this.#device], { stdio: 'ignore' })
    this.mount(folder)
  }

  destroy(): void {
    // Lazily: a process that is stuck in the failing disk must not keep the folder from being removed.
    if (this.#mounted !== undefined) runTool('umount', '--lazy', this.#mounted)
    runTool('losetup', '--detach', this.#device)
  }

  #unmount(): void {
    if (this.#mounted !== undefined) runTool('umount', this.#mounted)
    this.#mounted = undefined
  }
}

function runTool(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(toolPath(program), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}

function toolPath(program: string): string {
  const path = findSystemTool(program)
  if (path === undefined) throw new Error(`${program} is not installed`)
  return path
}
