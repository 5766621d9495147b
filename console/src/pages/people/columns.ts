/** Columns that each person has. */
export const FIXED_COLUMNS = ['location', 'user-id', 'events', 'sessions', 'first-seen', 'last-seen'] as const

/** A column that each person has. */
export type FixedColumn = (typeof FIXED_COLUMNS)[number]

/** A column of the list, or a property of people. */
export type ColumnChoice =
  | { readonly kind: 'fixed'; readonly name: FixedColumn }
  | { readonly kind: 'property'; readonly name: string }

/** The columns of a project without a choice. */
export const DEFAULT_COLUMNS: readonly ColumnChoice[] = (
  ['location', 'events', 'sessions', 'first-seen', 'last-seen'] as const
).map((name) => ({ kind: 'fixed', name }))

/** More would not fit a cookie, nor a screen. */
export const COLUMNS_MAX = 12
const NAME_MAX = 100

/** Parses the columns that a person chose; the default ones for any other text. */
export function readColumns(text: string): readonly ColumnChoice[] {
  try {
    const names: unknown = JSON.parse(decodeURIComponent(text))
    if (!Array.isArray(names)) return DEFAULT_COLUMNS
    return columnsOf(names.filter((name) => typeof name === 'string'))
  } catch {
    return DEFAULT_COLUMNS
  }
}

/** The columns of keys; the default ones where no key names a column. */
export function columnsOf(keys: readonly string[]): readonly ColumnChoice[] {
  const columns = keys.flatMap(columnOf)
  return columns.length === 0 ? DEFAULT_COLUMNS : columns.slice(0, COLUMNS_MAX)
}

/** Columns as one word. */
export function writeColumns(columns: readonly ColumnChoice[]): string {
  return encodeURIComponent(JSON.stringify(columns.map(keyOfColumn)))
}

/** The key of a column; that of a property begins with a dot. */
export function keyOfColumn({ kind, name }: ColumnChoice): string {
  return kind === 'fixed' ? name : `.${name}`
}

/** The column of a key; none for an unknown one. */
export function columnOf(text: string): readonly ColumnChoice[] {
  if (text.startsWith('.')) return text.length > NAME_MAX ? [] : [{ kind: 'property', name: text.slice(1) }]
  const known = FIXED_COLUMNS.find((name) => name === text)
  return known ? [{ kind: 'fixed', name: known }] : []
}
