/** A value of a statement's parameter. */
export type StatementValue = string | number | boolean | bigint | readonly StatementValue[]

/** Control characters and quotes as ClickHouse reads them, in the text of a parameter and inside a list. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}
const ESCAPED = /[\\'\t\n\r]/g

/** Writes a parameter as ClickHouse's HTTP interface reads it. */
export function writeStatementValue(value: StatementValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'string' ? escapeText(value) : writeItem(value)
}

function writeItem(value: StatementValue): string {
  switch (typeof value) {
    case 'string':
      return `'${escapeText(value)}'`
    case 'number':
      return writeNumber(value)
    case 'object':
      return `[${value.map(writeItem).join(',')}]`
    default:
      return String(value)
  }
}

function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'nan' : value > 0 ? '+inf' : '-inf'
}

function escapeText(text: string): string {
  return text.replace(ESCAPED, (character) => ESCAPES[character] ?? character)
}
