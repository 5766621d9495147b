import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// https://bford.info/cachedir/ : tar, borg, restic and others can exclude folders that contain this file.
const CACHE_TAG =
  'Signature: 8a477f597d28d172789f06886806bc55\n# Never back this folder up: it holds secrets that must die.\n'

/** The folder `<data dir>/volatile`: data that must not outlive its time, to be excluded from every backup. */
export interface VolatileFolder {
  readonly saltsPath: string
  /** The folder of the LMDB environment. */
  readonly statePath: string
  /** Whether a machine crash, after which unsynced writes may be partial, leads to a different `statePath`. */
  readonly isPerBoot: boolean
}

/**
 * Opens the folder, creating it for its owner only, and removes what earlier boots of the machine left. Throws when it
 * cannot be written.
 */
export function openVolatileFolder(dataDir: string, bootId = readBootId()): VolatileFolder {
  const path = join(dataDir, 'volatile')
  const saltsPath = join(path, 'salts')
  const stateName = `state-${bootId ?? 'any'}`
  mkdirSync(saltsPath, { recursive: true, mode: 0o700 })
  writeFileSync(join(path, 'CACHEDIR.TAG'), CACHE_TAG)
  for (const name of readdirSync(path)) {
    if (name.startsWith('state-') && name !== stateName)
      rmSync(join(path, name), { recursive: true, force: true })
  }
  return { saltsPath, statePath: join(path, stateName), isPerBoot: bootId !== undefined }
}

/** Id of the machine's boot; `undefined` where the system does not provide one. */
function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}
