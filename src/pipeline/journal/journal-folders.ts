import { join } from 'node:path'

/** The journals of an edge: each is shipped to a separate table. */
export const JOURNAL_NAMES = ['events', 'identify'] as const

/** One of {@link JOURNAL_NAMES}. */
export type JournalName = (typeof JOURNAL_NAMES)[number]

/** Folders of a journal and of its quarantine. */
export interface JournalFolders {
  readonly folder: string
  readonly quarantineFolder: string
}

const SUFFIXES = { events: '', identify: '-identify' } as const satisfies Record<JournalName, string>

/** The folders of a journal below a data folder; they may not exist. */
export function journalFolders(dataDir: string, name: JournalName): JournalFolders {
  const suffix = SUFFIXES[name]
  return {
    folder: join(dataDir, `journal${suffix}`),
    quarantineFolder: join(dataDir, `quarantine${suffix}`),
  }
}
