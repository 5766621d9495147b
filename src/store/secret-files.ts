import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The digest size of HS256. */
const JWT_SECRET_BYTES = 32

/** The key size of AES-256. */
const SECRET_KEY_BYTES = 32

/** Name of the file of the secret key. */
export const SECRET_KEY_FILE = 'secret-key'

/** A secret's file is damaged; the message names the remedy. */
export class SecretFileError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretFileError'
  }
}

/** A file in a data folder that only its owner may read. */
interface SecretFile {
  readonly dataDir: string
  readonly name: string
  /** Number of random bytes to generate. */
  readonly bytes: number
}

/**
 * The key that signs console tokens: the bytes of the setting's text, else those in `<data dir>/jwt-secret`. Throws
 * {@link SecretFileError} when the file is damaged.
 */
export function loadJwtSecret(dataDir: string, setting: string | undefined): Uint8Array {
  return setting === undefined
    ? loadSecretFile({ dataDir, name: 'jwt-secret', bytes: JWT_SECRET_BYTES })
    : Buffer.from(setting)
}

/** The 32 bytes that encrypt secrets: the setting, else `<data dir>/secret-key`. Throws {@link SecretFileError} when the file is damaged. */
export function loadSecretKey(dataDir: string, setting: Buffer | undefined): Buffer {
  return setting ?? loadSecretFile({ dataDir, name: SECRET_KEY_FILE, bytes: SECRET_KEY_BYTES })
}

/**
 * Reads the bytes of the file, which is created on first use; processes that create it concurrently get the same bytes.
 * Throws {@link SecretFileError} when the file has a different length.
 */
function loadSecretFile(file: SecretFile): Buffer {
  const path = join(file.dataDir, file.name)
  const secret = Buffer.from(readText(path) ?? createSecret(file, path), 'base64')
  if (secret.length !== file.bytes)
    throw new SecretFileError(`${path} does not hold a key of ${file.bytes} bytes; restore it from a backup`)
  return secret
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Linking fails when the name exists: the first writer wins, and its file is complete. */
function createSecret({ dataDir, bytes }: SecretFile, path: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}.tmp`
  writeFileSync(draft, `${randomBytes(bytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8')
}
