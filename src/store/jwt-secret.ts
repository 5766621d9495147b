import { loadSecretFile } from './secret-file.ts'

/** The digest size of HS256. */
const SECRET_BYTES = 32

/**
 * The key that signs console tokens: the bytes of the setting's text, else those in `<data dir>/jwt-secret`, created on
 * first use. Throws when the file is invalid.
 */
export function loadJwtSecret(dataDir: string, setting: string | undefined): Uint8Array {
  return setting === undefined
    ? loadSecretFile({ dataDir, name: 'jwt-secret', bytes: SECRET_BYTES })
    : Buffer.from(setting)
}
