import { loadSecretFile } from './secret-file.ts'

const KEY_BYTES = 32

/**
 * The 32 bytes that encrypt secrets: those of the setting, else those in `<data dir>/secret-key`, which are made on first
 * use; of processes that make one at once, all get the same. Throws when the file is not a key.
 */
export function loadSecretKey(dataDir: string, setting: Buffer | undefined): Buffer {
  return setting ?? loadSecretFile({ dataDir, name: 'secret-key', bytes: KEY_BYTES })
}
