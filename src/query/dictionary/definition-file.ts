import { parse } from 'csv-parse/sync'
import { invalid } from '../../domain/insights/invalid.ts'
import type { Definition, NameKind } from './definition.ts'

/** A name of a file. Absent parts stay as they are. */
export interface FileEntry {
  readonly type: NameKind
  readonly name: string
  readonly definition: Partial<Definition>
  /** Empty when the kind counts as its own. */
  readonly mergedInto?: string
}

/** A name of a file with all parts. */
export interface FullEntry extends FileEntry {
  readonly definition: Definition
  readonly mergedInto: string
}

const COLUMNS = [
  'type',
  'name',
  'display_name',
  'description',
  'owner',
  'tags',
  'state',
  'merged_into',
] as const
type Column = (typeof COLUMNS)[number]

const ROWS_MAX = 10_000
const TEXT_LENGTH_MAX = {
  name: 200,
  display_name: 200,
  description: 2000,
  owner: 200,
  merged_into: 200,
} as const
const TAGS_MAX = 20
const TAG_LENGTH_MAX = 50
const STATES: readonly string[] = ['verified', 'unreviewed', 'hidden', 'deprecated', 'blocked']

/** Spreadsheets evaluate cells that begin with one of these; an apostrophe in front makes them text. */
const FORMULA = /^'*[=+\-@\t\r]/
const ESCAPED = /^'+[=+\-@\t\r]/

/** Writes a file with a line for each entry. */
export function writeCsv(entries: readonly FullEntry[]): string {
  const lines = entries.map(({ type, name, definition, mergedInto }) => {
    const { displayName, description, owner, tags, state } = definition
    return [type, name, displayName, description, owner, tags.join(','), state, mergedInto]
  })
  return [COLUMNS, ...lines].map((line) => `${line.map(writeCell).join(',')}\r\n`).join('')
}

/** Reads a file. Throws `invalid_argument` that names the first wrong row. */
export function parseCsv(text: string): readonly FileEntry[] {
  const [header, ...rows] = parseLines(text)
  if (!header) throw wrong('is empty')
  const columns = header.cells.map((cell) => cell.trim().toLowerCase())
  const unknown = columns.find((column) => !(COLUMNS as readonly string[]).includes(column))
  if (unknown !== undefined) throw wrong(`has the unknown column ${JSON.stringify(unknown)}`)
  if (new Set(columns).size !== columns.length) throw wrong('has a column twice')
  for (const needed of ['type', 'name']) {
    if (!columns.includes(needed)) throw wrong(`needs the column ${needed}`)
  }
  if (rows.length > ROWS_MAX) throw wrong(`has more than ${ROWS_MAX} names`)
  return rows.map(({ cells, number }) => {
    if (cells.length !== columns.length) throw wrong(`row ${number} must have ${columns.length} cells`)
    const row = new Map(columns.map((column, index) => [column as Column, readCell(cells[index] ?? '')]))
    return parseRow(row, number)
  })
}

function parseLines(text: string): { readonly cells: readonly string[]; readonly number: number }[] {
  try {
    const records: string[][] = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true })
    return records.map((cells, index) => ({ cells, number: index + 1 }))
  } catch (error) {
    throw wrong(`is not CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function parseRow(row: ReadonlyMap<Column, string>, number: number): FileEntry {
  for (const [column, length] of Object.entries(TEXT_LENGTH_MAX)) {
    if ((row.get(column as Column) ?? '').length > length)
      throw wrong(`row ${number}: ${column} has more than ${length} characters`)
  }
  const [type, name, state, tags] = [
    row.get('type'),
    row.get('name') ?? '',
    row.get('state'),
    row.get('tags'),
  ]
  if (type !== 'event' && type !== 'property') throw wrong(`row ${number}: type must be event or property`)
  if (name === '') throw wrong(`row ${number}: name is required`)
  if (state !== undefined && state !== '' && !STATES.includes(state))
    throw wrong(`row ${number}: state must be one of ${STATES.join(', ')}`)
  const mergedInto = row.get('merged_into')
  return {
    type,
    name,
    definition: {
      ...part(row, 'display_name', 'displayName'),
      ...part(row, 'description', 'description'),
      ...part(row, 'owner', 'owner'),
      ...(tags === undefined ? {} : { tags: parseTags(tags, number) }),
      ...(state === undefined ? {} : { state: (state || 'unreviewed') as Definition['state'] }),
    },
    ...(mergedInto === undefined ? {} : { mergedInto }),
  }
}

function part<Key extends 'displayName' | 'description' | 'owner'>(
  row: ReadonlyMap<Column, string>,
  column: Column,
  key: Key,
): Partial<Definition> {
  const text = row.get(column)
  return text === undefined ? {} : { [key]: text }
}

function parseTags(cell: string, number: number): readonly string[] {
  const tags = [...new Set(cell.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
  if (tags.length > TAGS_MAX) throw wrong(`row ${number}: at most ${TAGS_MAX} tags`)
  if (tags.some((tag) => tag.length > TAG_LENGTH_MAX))
    throw wrong(`row ${number}: a tag has at most ${TAG_LENGTH_MAX} characters`)
  return tags
}

function writeCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function readCell(cell: string): string {
  return (ESCAPED.test(cell) ? cell.slice(1) : cell).trim()
}

function wrong(description: string): Error {
  return invalid('csv', description, 'INVALID_REQUEST')
}
