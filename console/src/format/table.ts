import { readWallClock } from '@domain/calendar.ts'
import { formatValue, type Unit } from './unit.ts'
import { formatDay, formatMinute, formatNumber, formatShare } from './values.ts'

/** A text, or a number as the service sends it. */
export type Cell = string | number

/** A column of a table. */
export interface Column {
  readonly name: string
  /** The type of its cells: an instant in ISO 8601, a value in the unit of the answer, a share of 1, or plain. */
  readonly kind: 'plain' | 'instant' | 'value' | 'share'
}

/** An answer as rows of texts and numbers. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A column of plain cells. */
export function plain(name: string): Column {
  return { name, kind: 'plain' }
}

/** A table as CSV (RFC 4180). An apostrophe keeps spreadsheets from running a text as a formula. */
export function toCsv({ columns, rows }: Table): string {
  return [columns.map(({ name }) => name), ...rows].map((row) => row.map(toCell).join(',')).join('\r\n')
}

function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const MIDNIGHT = 'T00:00'

/** A function that formats the cells of a column for the reader. */
export function cellWriter(
  { kind }: Column,
  cells: readonly Cell[],
  { unit, timeZone }: { readonly unit: Unit; readonly timeZone: string },
): (cell: Cell) => string {
  const formatTime = areDays(cells, timeZone) ? formatDay : formatMinute
  return (cell) => {
    if (kind === 'instant') return formatTime(Date.parse(String(cell)), timeZone)
    if (typeof cell === 'string') return cell
    if (kind === 'share') return formatShare(cell)
    return kind === 'value' ? formatValue(cell, unit) : formatNumber(cell)
  }
}

/** A table with a column of local times beside its column of instants: dates, or dates with times. */
export function addLocalDates({ columns, rows }: Table, timeZone: string): Table {
  const at = columns.findIndex(({ kind }) => kind === 'instant')
  if (at < 0) return { columns, rows }
  const isDaily = areDays(
    rows.map((row) => row[at] ?? ''),
    timeZone,
  )
  const dateOf = (cell: Cell | undefined): string => {
    const local = readWallClock(Date.parse(String(cell)), timeZone)
    return isDaily ? local.slice(0, -MIDNIGHT.length) : local.replace('T', ' ')
  }
  return {
    columns: columns.toSpliced(at + 1, 0, { name: `Local date (${timeZone})`, kind: 'plain' }),
    rows: rows.map((row) => row.toSpliced(at + 1, 0, dateOf(row[at]))),
  }
}

/** Whether instants are all starts of days. */
function areDays(cells: readonly Cell[], timeZone: string): boolean {
  return cells.every((cell) => {
    const ms = Date.parse(String(cell))
    return !Number.isNaN(ms) && readWallClock(ms, timeZone).endsWith(MIDNIGHT)
  })
}
