import { statSync } from 'node:fs'
import { type ProgressFile, progressFile } from '../progress-file.ts'

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

/** The counts of an import that has not begun. */
export const NO_COUNTS: ImportCounts = {
  read: 0,
  accepted: 0,
  identifyOnly: 0,
  identified: 0,
  propertiesDropped: 0,
  rejected: {},
}

/** Reads the {@link SourceFacts} of a file. */
export function readSourceFacts(path: string): SourceFacts {
  const { size, mtimeMs } = statSync(path)
  return { bytes: size, modifiedMs: mtimeMs }
}

/** The state of an unfinished import. An older state only sends some records again, which adds no events. */
export const importState: ProgressFile<ImportState> = progressFile<ImportState>({
  version: 1,
  names: { accepted: 'taken', identifyOnly: 'aboutPeople', propertiesDropped: 'leftOut' },
  isDurable: false,
})
