import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { TimeZone } from '../../query/spec/time-zone.ts'
import type { Progress } from '../progress.ts'
import type { ServiceClient } from '../send/service-client.ts'
import type { ImportFormat } from './detect-format.ts'
import { importRecords } from './import-records.ts'
import {
  type ImportCounts,
  type ImportState,
  importStatePath,
  NO_COUNTS,
  readImportState,
  readSourceFacts,
  removeImportState,
  writeImportState,
} from './import-state.ts'
import { STDIN, UnreadableSource } from './open-source.ts'
import { readRecords } from './read-records.ts'
import { RejectedFile } from './rejected-file.ts'

/** One file to import, or the standard input. */
export interface ImportOptions {
  readonly path: string
  readonly stdin: Readable
  readonly format: ImportFormat | undefined
  /** The zone in which times of a Mixpanel export are. */
  readonly timeZone: TimeZone | undefined
  readonly start: 'from the start' | 'where it stopped'
  /** Absent: nothing is sent. */
  readonly client: ServiceClient | undefined
  /** Told what the operator should look at, although everything is read. */
  readonly onNotice: (text: string) => void
  readonly createProgress: (done: number) => Progress
}

/** What became of a file. */
export interface ImportOutcome extends ImportCounts {
  /** Where the rejected records are. */
  readonly rejectedPath: string
}

/** Imports a file. Throws when it cannot be read, and `SendError` when the service does not take what is sent. */
export async function importFile(options: ImportOptions): Promise<ImportOutcome> {
  const { path, client } = options
  const keepsState = path !== STDIN && client !== undefined
  const earlier = keepsState && options.start === 'where it stopped' ? findEarlier(path) : undefined
  const before: ImportCounts = earlier ?? NO_COUNTS
  const rejectedPath = `${path === STDIN ? 'stdin' : path}.rejected.jsonl`
  const rejected = new RejectedFile(rejectedPath, earlier?.rejectedBytes ?? 0)
  const source = keepsState ? readSourceFacts(path) : undefined
  const progress = options.createProgress(before.read)
  try {
    const counts = await importRecords(readRecords(options), before, {
      client,
      progress,
      timeZone: options.timeZone,
      onRejected: (record, reason) => rejected.add(record, reason),
      onDone: (done) => {
        if (source) writeImportState(path, { ...done, source, rejectedBytes: rejected.bytes })
      },
    })
    progress.finish()
    if (keepsState) removeImportState(path)
    return { ...counts, rejectedPath }
  } finally {
    rejected.close()
  }
}

function findEarlier(path: string): ImportState | undefined {
  const state = readImportState(path)
  if (state === undefined || isDeepStrictEqual(state.source, readSourceFacts(path))) return state
  throw new UnreadableSource(
    `${path} is not the file that ${importStatePath(path)} is about; remove that, and import from the start`,
  )
}
