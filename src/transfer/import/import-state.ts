import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Counts of the records so far. */
export interface ImportCounts {
  /** Records read. */
  readonly read: number
  /** Events that the service accepted. */
  readonly accepted: number
  /** Records without an event, which only identify a user. */
  readonly identifyOnly: number
  /** Identify calls that the service accepted. */
  readonly identified: number
  /** Properties that were dropped. */
  readonly propertiesDropped: number
  /** Rejected records by reason. */
  readonly rejected: Readonly<Record<string, number>>
}

/** Progress of the import of a file. */
export interface ImportState extends ImportCounts {
  readonly source: SourceFacts
  /** Size of the file of rejected records. */
  readonly rejectedBytes: number
}

/** Properties that change when a file is modified. */
export interface SourceFacts {
  readonly bytes: number
  readonly modifiedMs: number
}

const VERSION = 1

/** The state as version 1 of the file stores it, under other names. */
interface StateFile extends Omit<ImportState, 'accepted' | 'identifyOnly' | 'propertiesDropped'> {
  readonly version: number
  readonly taken: number
  readonly aboutPeople: number
  readonly leftOut: number
}

/** The counts of an import that has not begun. */
export const NO_COUNTS: ImportCounts = {
  read: 0,
  accepted: 0,
  identifyOnly: 0,
  identified: 0,
  propertiesDropped: 0,
  rejected: {},
}

/** The file beside an unfinished import. */
export function importStatePath(path: string): string {
  return `${path}.progress`
}

/** Reads the {@link SourceFacts} of a file. */
export function readSourceFacts(path: string): SourceFacts {
  const { size, mtimeMs } = statSync(path)
  return { bytes: size, modifiedMs: mtimeMs }
}

/** Reads the state of an unfinished import; `undefined` when there is none. Throws when another release wrote it. */
export function readImportState(path: string): ImportState | undefined {
  let text: string
  try {
    text = readFileSync(importStatePath(path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const { version, taken, aboutPeople, leftOut, ...state } = JSON.parse(text) as StateFile
  if (version !== VERSION) throw new Error(`${importStatePath(path)} was written by another release`)
  return { ...state, accepted: taken, identifyOnly: aboutPeople, propertiesDropped: leftOut }
}

/** Replaces the state. It need not be durable: an older state only sends some records again, which adds no events. */
export function writeImportState(path: string, state: ImportState): void {
  const draft = `${importStatePath(path)}.tmp`
  const { accepted, identifyOnly, propertiesDropped, ...rest } = state
  const file: StateFile = {
    version: VERSION,
    ...rest,
    taken: accepted,
    aboutPeople: identifyOnly,
    leftOut: propertiesDropped,
  }
  writeFileSync(draft, `${JSON.stringify(file)}\n`)
  renameSync(draft, importStatePath(path))
}

/** Removes the state of a completed import. */
export function removeImportState(path: string): void {
  rmSync(importStatePath(path), { force: true })
}
