import { isFieldSet } from '@bufbuild/protobuf'
import { type ImportedRow, ImportedRowSchema } from '../../contract/gen/millrace/web/v1/imports_service_pb.js'
import { isDate } from '../../domain/calendar.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { ImportedNumbers } from '../../store/clickhouse/imported-days.ts'
import type { StoredImport } from './import-store.ts'

/** No site has more in a day; sums of them stay exact. */
const NUMBER_MAX = 10n ** 12n
const VALUE_CHARACTERS_MAX = 1024

const NUMBERS = ['visits', 'pageViews', 'bounces', 'visitSeconds', 'events'] as const

/**
 * Parses the rows of a batch and adds up those of one day, dimension and value. The rules of the interface would take longer
 * than storing the rows, so that they are here. Throws `invalid_argument`.
 */
export function parseRows(
  rows: readonly ImportedRow[],
  { firstDay, lastDay, dimensions }: Pick<StoredImport, 'dimensions' | 'firstDay' | 'lastDay'>,
): readonly ImportedNumbers[] {
  const known = new Set([0, ...dimensions])
  const days = new Set<string>()
  const byKey = new Map<string, ImportedNumbers>()
  for (const [index, row] of rows.entries()) {
    const field = `rows[${index}]`
    const isDay = days.has(row.day) || (isDate(row.day) && row.day >= firstDay && row.day <= lastDay)
    if (!isDay) throw invalid(`${field}.day`, 'must be a day of the import', 'INVALID_REQUEST')
    days.add(row.day)
    if (!known.has(row.dimension))
      throw invalid(`${field}.dimension`, 'must be a dimension of the import', 'INVALID_REQUEST')
    if (row.value.length > VALUE_CHARACTERS_MAX && [...row.value].length > VALUE_CHARACTERS_MAX)
      throw invalid(`${field}.value`, `has more than ${VALUE_CHARACTERS_MAX} characters`, 'INVALID_REQUEST')
    const numbers = parseNumbers(row, field)
    const key = `${row.day} ${row.dimension} ${row.value}`
    const before = byKey.get(key)
    byKey.set(key, before ? add(before, numbers) : numbers)
  }
  return [...byKey.values()]
}

function parseNumbers(row: ImportedRow, field: string): ImportedNumbers {
  const read = (name: (typeof NUMBERS)[number]): number | null => {
    // An unset field reads as 0.
    const isSet = isFieldSet(row, ImportedRowSchema.field[name])
    return isSet ? parseNumber(row[name] ?? 0n, `${field}.${name}`) : null
  }
  return {
    day: row.day,
    dimension: row.dimension,
    value: row.value,
    visitors: parseNumber(row.visitors, `${field}.visitors`),
    visits: read('visits'),
    pageViews: read('pageViews'),
    bounces: read('bounces'),
    visitSeconds: read('visitSeconds'),
    events: read('events'),
  }
}

function parseNumber(value: bigint, field: string): number {
  if (value >= 0n && value <= NUMBER_MAX) return Number(value)
  throw invalid(field, 'must be from 0 to 10^12', 'INVALID_REQUEST')
}

function add(a: ImportedNumbers, b: ImportedNumbers): ImportedNumbers {
  const sum = (left: number | null, right: number | null): number | null =>
    left === null || right === null ? null : left + right
  return {
    ...a,
    visitors: a.visitors + b.visitors,
    visits: sum(a.visits, b.visits),
    pageViews: sum(a.pageViews, b.pageViews),
    bounces: sum(a.bounces, b.bounces),
    visitSeconds: sum(a.visitSeconds, b.visitSeconds),
    events: sum(a.events, b.events),
  }
}
