import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file in a data folder that only its owner may read. */
export interface SecretFile {
  readonly dataDir: string
  readonly name: string
  /** Number of random bytes to generate. */
  readonly bytes: number
}

/**
 * Reads the bytes of the file, which is created on first use; processes that create it concurrently get the same bytes.
 * Throws when the file has a different length.
 */
export function loadSecretFile(file: SecretFile): Buffer {
  const path = join(file.dataDir, file.name)
  const secret = Buffer.from(readText(path) ?? createSecret(file, path), 'base64')
  if (secret.length !== file.bytes) throw new Error(`${path} does not hold a key of ${file.bytes} bytes`)
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
