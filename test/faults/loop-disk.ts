import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Prng } from '../../src/kernel/prng.ts'
import { findSystemTool } from '../harness/system-tool.ts'
import { killEverything } from './process-faults.ts'
import { type Rig, ROLES } from './rig.ts'

const IMAGE_BYTES = 64 * 1024 * 1024
/** The remaining part of the disk while it fails: its first block. */
const FAILING_BYTES = 4096
const PROBE_MS_MAX = 10_000

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

/** In a separate process: a write to a disk that is gone may hang. */
function isRefusedWrite(path: string): boolean {
  const { status, signal } = spawnSync(
    toolPath('dd'),
    ['if=/dev/zero', `of=${path}`, 'bs=4k', 'count=1', 'conv=fsync'],
    { stdio: 'ignore', timeout: PROBE_MS_MAX, killSignal: 'SIGKILL' },
  )
  return signal === null && status !== 0
}

/**
 * Starts a service again with its journal, which must be drained, on a disk of its own, and does `work` to it. The service
 * does not run afterwards.
 */
export async function withJournalOnDisk<T>(
  { service }: Rig,
  prng: Prng,
  work: (disk: LoopDisk) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-disk-'))
  await killEverything(service, ROLES, prng)
  const disk = new LoopDisk(folder)
  try {
    disk.mount(join(service.dataDir, 'journal'))
    await service.launch()
    return await work(disk)
  } finally {
    await killEverything(service, ROLES, prng).finally(() => disk.destroy())
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A disk made of a file, which can be made to fail (EIO) or to hang as a broken one does. */
export class LoopDisk {
  readonly #image: string
  readonly #kept: string
  readonly #device: string
  #mounted: string | undefined

  constructor(folder: string) {
    this.#image = join(folder, 'disk')
    this.#kept = join(folder, 'disk-kept')
    runTool('truncate', '-s', String(IMAGE_BYTES), this.#image)
    // ext4 without its journal: kernels have lost threads when its transactions failed.
    runTool('mkfs.ext2', '-q', '-F', this.#image)
    this.#device = runTool('losetup', '--find', '--show', this.#image).trim()
  }

  mount(folder: string): void {
    mkdirSync(folder, { recursive: true })
    runTool('mount', this.#device, folder)
    this.#mounted = folder
  }

  /** Makes accesses fail with EIO. No process may write meanwhile: synced writes must be in the copy. */
  fail(): void {
    runTool('sync', '--file-system', this.#folder)
    copyFileSync(this.#image, this.#kept)
    truncateSync(this.#image, FAILING_BYTES)
    runTool('losetup', '--set-capacity', this.#device)
  }

  /** Brings back what the disk held when it began to fail, and repairs the file system. */
  mend(): void {
    const folder = this.#folder
    // First, so that nothing that was written since gets to the disk that comes back.
    runTool('umount', folder)
    this.#mounted = undefined
    copyFileSync(this.#kept, this.#image)
    runTool('losetup', '--set-capacity', this.#device)
    // 1: something was repaired.
    spawnSync(toolPath('e2fsck'), ['-f', '-y', this.#device], { stdio: 'ignore' })
    this.mount(folder)
  }

  /** From now on writes and syncs do not return. */
  freeze(): void {
    runTool('fsfreeze', '--freeze', this.#folder)
  }

  /** Lets go on what waits since it was frozen. */
  thaw(): void {
    runTool('fsfreeze', '--unfreeze', this.#folder)
  }

  destroy(): void {
    // Lazily: a process that is stuck in the failing disk must not keep the folder from being removed.
    if (this.#mounted !== undefined) runTool('umount', '--lazy', this.#mounted)
    runTool('losetup', '--detach', this.#device)
  }

  get #folder(): string {
    if (this.#mounted === undefined) throw new Error('the disk is not mounted')
    return this.#mounted
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
