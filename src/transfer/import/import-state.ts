import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** What became of the records so far. */
export interface ImportCounts {
  /** Records read. */
  readonly read: number
  /** Events that the service acknowledged. */
  readonly taken: number
  /** Records that only say who somebody is. */
  readonly aboutPeople: number
  /** Calls that said who somebody is. */
  readonly identified: number
  /** Properties that were left out. */
  readonly leftOut: number
  /** Rejected records by reason. */
  readonly rejected: Readonly<Record<string, number>>
}

/** How far the import of a file came. */
export interface ImportState extends ImportCounts {
  readonly source: SourceFacts
  /** Bytes of the file of rejected records. */
  readonly rejectedBytes: number
}

/** What tells whether a file is still the same. */
export interface SourceFacts {
  readonly bytes: number
  readonly modifiedMs: number
}

const VERSION = 1

/** Nothing so far. */
export const NO_COUNTS: ImportCounts = {
  read: 0,
  taken: 0,
  aboutPeople: 0,
  identified: 0,
  leftOut: 0,
  rejected: {},
}

/** The file beside an unfinished import. */
export function importStatePath(path: string): string {
  return `${path}.progress`
}

/** Reads what tells whether a file is still the same. */
export function readSourceFacts(path: string): SourceFacts {
  const { size, mtimeMs } = statSync(path)
  return { bytes: size, modifiedMs: mtimeMs }
}

/** Reads the state of an unfinished import; `undefined` when there is none. Throws when it is of another release. */
export function readImportState(path: string): ImportState | undefined {
  let text: string
  try {
    text = readFileSync(importStatePath(path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const state = JSON.parse(text) as ImportState & { readonly version: number }
  if (state.version !== VERSION) throw new Error(`${importStatePath(path)} is of another release`)
  return state
}

/** Replaces the state. An older one only means that some records are sent again, which adds nothing. */
export function writeImportState(path: string, state: ImportState): void {
  const draft = `${importStatePath(path)}.tmp`
  writeFileSync(draft, `${JSON.stringify({ version: VERSION, ...state })}\n`)
  renameSync(draft, importStatePath(path))
}

/** Forgets the state of an import that is finished. */
export function removeImportState(path: string): void {
  rmSync(importStatePath(path), { force: true })
}
