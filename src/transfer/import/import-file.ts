import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { TimeZone } from '../../domain/insights/time-zone.ts'
import type { Progress } from '../progress.ts'
import type { ServiceClient } from '../send/service-client.ts'
import type { ImportFormat } from './detect-format.ts'
import { importRecords } from './import-records.ts'
import {
  type ImportCounts,
  type ImportState,
  importState,
  NO_COUNTS,
  readSourceFacts,
} from './import-state.ts'
import { STDIN } from './open-source.ts'
import { readRecords } from './read-records.ts'
import { RejectedFile } from './rejected-file.ts'
import { UnreadableSource } from './unreadable-source.ts'

/** A file to import, or standard input. */
export interface ImportOptions {
  readonly path: string
  readonly stdin: Readable
  readonly format: ImportFormat | undefined
  /** Time zone of a Mixpanel export. */
  readonly timeZone: TimeZone | undefined
  readonly start: 'afresh' | 'resume'
  /** Nothing is sent when absent. */
  readonly client: ServiceClient | undefined
  /** Called with a warning for the operator that does not stop the import. */
  readonly onNotice: (text: string) => void
  readonly createProgress: (done: number) => Progress
}

/** The result of importing a file. */
export interface ImportOutcome extends ImportCounts {
  /** Path of the file of rejected records. */
  readonly rejectedPath: string
}

const EMPTY = 'the file has no record; check that the export is complete'

/** Imports a file. Throws when it cannot be read, and `SendError` when the service does not accept requests. */
export async function importFile(options: ImportOptions): Promise<ImportOutcome> {
  const { path, client } = options
  const keepsState = path !== STDIN && client !== undefined
  const earlier = keepsState && options.start === 'resume' ? findEarlier(path) : undefined
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
        if (source) importState.write(path, { ...done, source, rejectedBytes: rejected.bytes })
      },
    })
    progress.finish()
    if (counts.read === 0) options.onNotice(EMPTY)
    if (keepsState) importState.remove(path)
    return { ...counts, rejectedPath }
  } finally {
    rejected.close()
  }
}

function findEarlier(path: string): ImportState | undefined {
  const state = importState.read(path)
  if (state === undefined || isDeepStrictEqual(state.source, readSourceFacts(path))) return state
  throw new UnreadableSource(
    `${path} has changed since ${importState.path(path)} was written; remove that file and import from the start`,
  )
}
