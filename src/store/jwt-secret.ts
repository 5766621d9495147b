import { loadSecretFile } from './secret-file.ts'

/** As many as the digest of HS256 has. */
const SECRET_BYTES = 32

/**
 * What signs the tokens of the console: the bytes of the setting's text, else those in `<data dir>/jwt-secret`, which are
 * made on first use. Throws when the file is not a secret.
 */
export function loadJwtSecret(dataDir: string, setting: string | undefined): Uint8Array {
  return setting === undefined
    ? loadSecretFile({ dataDir, name: 'jwt-secret', bytes: SECRET_BYTES })
    : Buffer.from(setting)
}
