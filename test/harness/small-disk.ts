import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a disk of memory on a folder that exists; whether that was allowed. */
export function mountDisk(folder: string, sizeMiB: number, access: 'rw' | 'ro' = 'rw'): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,${access}`, 'millrace-small-disk', folder]
  return spawnSync('mount', options, { stdio: 'ignore' }).status === 0
}

/** Makes a folder read-only for all processes until it is unmounted; whether that was allowed. */
export function mountReadOnly(folder: string): boolean {
  const mount = (...options: string[]): boolean =>
    spawnSync('mount', options, { stdio: 'ignore' }).status === 0
  return mount('--bind', folder, folder) && mount('-o', 'remount,bind,ro', folder)
}

/** Takes such a disk away, also while a process that is ending holds it. */
export function unmountDisk(folder: string): void {
  spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' })
}

/** Whether this user may mount a small disk. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-mount-'))
  const isMounted = mountDisk(folder, 1)
  if (isMounted) unmountDisk(folder)
  rmSync(folder, { recursive: true, force: true })
  return isMounted
}
