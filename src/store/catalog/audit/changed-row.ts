import type { AuditChange } from '../schema/audit-tables.ts'
import type { AuditedStatement, Row } from './audited-statement.ts'
import { type AuditedTable, columnsOf } from './audited-tables.ts'

/** A row of an audited table that a transaction changes. */
export interface ChangedRow {
  readonly table: AuditedTable
  /** Absent when it did not exist. */
  readonly before?: Row
  /** Absent when it is deleted. */
  readonly after?: Row
}

/** Rows of a statement, and of a transaction, of which the values are recorded. */
export const ROWS_MAX = 50

/** Changed fields of an entry. */
const CHANGES_MAX = 100

/** Characters of a value. */
const VALUE_LENGTH_MAX = 300

/** Characters of the values of an entry: a page of entries fits into an answer. */
const ENTRY_LENGTH_MAX = 10_000

/** The rows that a statement changes: those that it finds, and those that it returns or inserts. */
export function changedRowsOf(
  { table, inserted, conflictColumns, updates, deletes }: AuditedStatement,
  { found, returned }: { readonly found: readonly Row[]; readonly returned: readonly Row[] },
): ChangedRow[] {
  if (deletes) return found.map((before) => ({ table, before }))
  if (inserted.length === 0)
    return found.map((before) => ({ table, before, after: { ...before, ...updates } }))
  return inserted.slice(0, ROWS_MAX).map((row, index) => {
    const made = { ...pick(returned[index] ?? {}, columnsOf(table)), ...defined(row) }
    const before = found.find((candidate) =>
      conflictColumns.every((name) => same(candidate[name], row[name])),
    )
    const isUpdate = before && conflictColumns.length > 0
    return isUpdate ? { table, before, after: { ...before, ...updates } } : { table, after: made }
  })
}

/** The fields that rows differ in, without the values of opaque ones: as many as fit into an entry. */
export function changesOf(rows: readonly ChangedRow[]): AuditChange[] {
  const changes = rows.flatMap((row) => [...fieldChanges(row), ...opaqueChanges(row)])
  let length = 0
  const end = changes.findIndex(({ id, before, after }) => {
    length += id.length + (before ?? '').length + (after ?? '').length
    return length > ENTRY_LENGTH_MAX
  })
  return changes.slice(0, Math.min(end === -1 ? CHANGES_MAX : end, CHANGES_MAX))
}

/** A value as entries have it. */
export function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value).slice(0, VALUE_LENGTH_MAX).toWellFormed()
}

/** The id of a row's object. */
export function idOf({ table, before, after }: ChangedRow): string {
  return textOf((after ?? before)?.[table.id])
}

function fieldChanges(row: ChangedRow): AuditChange[] {
  const { table, before, after } = row
  return table.fields
    .filter((field) => !same(before?.[field], after?.[field]))
    .map((field) => ({
      object: table.object,
      id: idOf(row),
      field,
      before: before ? textOf(before[field]) : null,
      after: after ? textOf(after[field]) : null,
    }))
}

/** Whether an opaque field is set, and that it changed. */
function opaqueChanges(row: ChangedRow): AuditChange[] {
  const { table, before, after } = row
  return (table.opaque ?? [])
    .filter((field) => !same(before?.[field], after?.[field]))
    .map((field) => {
      const wasSet = textOf(before?.[field]) !== ''
      const isSet = textOf(after?.[field]) !== ''
      return {
        object: table.object,
        id: idOf(row),
        field,
        before: before ? setOrEmpty(wasSet) : null,
        after: after ? (wasSet && isSet ? 'changed' : setOrEmpty(isSet)) : null,
      }
    })
}

function setOrEmpty(isSet: boolean): string {
  return isSet ? 'set' : ''
}

function same(one: unknown, other: unknown): boolean {
  return (one ?? '') === (other ?? '')
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name)))
}

function defined(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}
