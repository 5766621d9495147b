import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files below a folder whose bytes hold any of the texts; files that go meanwhile are left out. */
export function findBytes(folder: string, texts: readonly string[]): readonly string[] {
  return listFiles(folder).filter((path) => {
    const bytes = readIfThere(() => readFileSync(path), Buffer.alloc(0))
    return texts.some((text) => bytes.includes(text))
  })
}

function listFiles(folder: string): readonly string[] {
  return readIfThere(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return entry.isFile() ? [path] : []
  })
}

function readIfThere<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
}
