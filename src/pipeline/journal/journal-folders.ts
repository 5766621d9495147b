import { join } from 'node:path'

/** The journals of an edge: each is shipped to a table of its own. */
export const JOURNAL_NAMES = ['events', 'identify'] as const

/** One of {@link JOURNAL_NAMES}. */
export type JournalName = (typeof JOURNAL_NAMES)[number]

/** Where a journal is, and where goes what ClickHouse refuses of it. */
export interface JournalFolders {
  readonly folder: string
  readonly quarantineFolder: string
}

const SUFFIXES = { events: '', identify: '-identify' } as const satisfies Record<JournalName, string>

/** The folders of a journal below a data folder, whether they are there or not. */
export function journalFolders(dataDir: string, name: JournalName): JournalFolders {
  const suffix = SUFFIXES[name]
  return {
    folder: join(dataDir, `journal${suffix}`),
    quarantineFolder: join(dataDir, `quarantine${suffix}`),
  }
}
