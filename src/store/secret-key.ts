import { loadSecretFile } from './secret-file.ts'

const KEY_BYTES = 32

/**
 * The 32 bytes that encrypt secrets: from the setting, else from `<data dir>/secret-key`, which is created on first
 * use; processes that create it concurrently get the same key. Throws when the file is not a valid key.
 */
export function loadSecretKey(dataDir: string, setting: Buffer | undefined): Buffer {
  return setting ?? loadSecretFile({ dataDir, name: 'secret-key', bytes: KEY_BYTES })
}
