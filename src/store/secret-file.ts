import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of a data folder that only its owner may read. */
export interface SecretFile {
  readonly dataDir: string
  readonly name: string
  /** How many random bytes a new one gets. */
  readonly bytes: number
}

/**
 * The bytes in the file, which are made on first use; of processes that make one at once, all get the same. Throws when the
 * file holds another number of bytes.
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

/** A link is refused when the name is there: the first writer wins, and its file is whole. */
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
