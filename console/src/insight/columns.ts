/** A text, or a number as the service has it. */
export type Cell = string | number

/** A column of a table. */
export interface Column {
  readonly name: string
  /** What its cells are: a moment in ISO 8601, a value in the unit of the answer, a share of 1, or what they look like. */
  readonly kind: 'plain' | 'moment' | 'value' | 'share'
}

/** An answer as rows of texts and numbers. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A column of what its cells look like. */
export function plain(name: string): Column {
  return { name, kind: 'plain' }
}

/** A table as CSV (RFC 4180). A text that a spreadsheet would run as a formula is kept from it. */
export function toCsv({ columns, rows }: Table): string {
  return [columns.map(({ name }) => name), ...rows].map((row) => row.map(toCell).join(',')).join('\r\n')
}

function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
