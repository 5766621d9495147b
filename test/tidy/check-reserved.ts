import type { Breach } from './breach.ts'
import { type CodeFile, descendants, isTest, lineAt } from './code-file.ts'
import { findReservedWords, type ReservedWord } from './reserved-words.ts'

interface Ownership {
  /** Files, and folders that end in a slash. */
  readonly owners: readonly string[]
  readonly inTests: boolean
}

const CLOCK: Ownership = { owners: ['src/kernel/clock.ts'], inTests: true }

const OWNERSHIPS = {
  'Date.now': CLOCK,
  'new Date()': CLOCK,
  'process.env': { owners: ['src/bin/'], inTests: true },
  console: { owners: [], inTests: false },
  // Requests leave through src/kernel/outbound, within limits; commands call the service on this machine.
  'fetch()': { owners: ['src/bin/'], inTests: true },
  // Tests count rows, and migrations move them between tables, in every project at once.
  'FROM events': {
    owners: ['src/query/sql/events-table.ts', 'src/store/clickhouse/migrations/'],
    inTests: true,
  },
  'FROM <tenant table>': {
    owners: [
      'src/query/sql/scoped-table.ts',
      'src/store/clickhouse/tenant-tables.ts',
      'src/store/clickhouse/migrations/',
      // Compares row counts of all projects together.
      'src/store/clickhouse/identity-refresher.ts',
    ],
    inTests: true,
  },
  // The store reads the engine's own tables, which have no tenants.
  'FROM <computed table>': {
    owners: ['src/query/sql/scoped-table.ts', 'src/store/clickhouse/', 'src/bin/doctor/'],
    inTests: true,
  },
} satisfies Record<ReservedWord, Ownership>

/** A reserved word stands only with its owner. */
export function checkReserved(file: CodeFile): readonly Breach[] {
  return descendants(file.tree).flatMap((node) =>
    findReservedWords(node)
      .filter(({ word }) => !isAllowed(file, OWNERSHIPS[word]))
      .map(({ word, offset }) => ({
        rule: 'reserved' as const,
        path: file.path,
        line: lineAt(file, offset),
        subject: word,
        message: `says ${word}: ${describe(OWNERSHIPS[word])}`,
      })),
  )
}

function isAllowed(file: CodeFile, { owners, inTests }: Ownership): boolean {
  if (inTests && isTest(file)) return true
  return owners.some((owner) => (owner.endsWith('/') ? file.path.startsWith(owner) : file.path === owner))
}

function describe({ owners }: Ownership): string {
  return owners.length > 0 ? `only ${owners.join(' and ')} may` : 'no file may'
}
