/** A column and the position that it moves to. */
export interface ColumnMove {
  readonly from: number
  readonly to: number
}

/** Hides a column that is shown, or shows it last while fewer than `columnsMax` are shown. */
export function toggleColumn(
  columns: readonly string[],
  { key, columnsMax }: { readonly key: string; readonly columnsMax: number },
): readonly string[] {
  if (columns.includes(key)) return columns.filter((column) => column !== key)
  return columns.length < columnsMax ? [...columns, key] : columns
}

/** The columns with one of them moved to the position of another. */
export function moveColumn(columns: readonly string[], { from, to }: ColumnMove): readonly string[] {
  const moved = columns[from]
  if (moved === undefined || to < 0 || to >= columns.length) return columns
  return columns.toSpliced(from, 1).toSpliced(to, 0, moved)
}
