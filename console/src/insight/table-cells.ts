import { readWallClock } from '@domain/calendar.ts'
import { formatDay, formatMinute, formatNumber, formatShare } from '../app/format.ts'
import { formatValue, type Unit } from '../charts/unit.ts'
import type { Cell, Column, Table } from './columns.ts'

const MIDNIGHT = 'T00:00'

/** How the cells of a column read, for people. */
export function cellWriter(
  { kind }: Column,
  cells: readonly Cell[],
  { unit, timeZone }: { readonly unit: Unit; readonly timeZone: string },
): (cell: Cell) => string {
  const formatTime = areDays(cells, timeZone) ? formatDay : formatMinute
  return (cell) => {
    if (kind === 'moment') return formatTime(Date.parse(String(cell)), timeZone)
    if (typeof cell === 'string') return cell
    if (kind === 'share') return formatShare(cell)
    return kind === 'value' ? formatValue(cell, unit) : formatNumber(cell)
  }
}

/** A table with what the clocks of a zone say beside each moment: a day, or a day and a time. */
export function addLocalDates({ columns, rows }: Table, timeZone: string): Table {
  const at = columns.findIndex(({ kind }) => kind === 'moment')
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

/** True for moments that are all starts of days. */
function areDays(cells: readonly Cell[], timeZone: string): boolean {
  return cells.every((cell) => {
    const ms = Date.parse(String(cell))
    return !Number.isNaN(ms) && readWallClock(ms, timeZone).endsWith(MIDNIGHT)
  })
}
