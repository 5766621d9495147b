import type { ByteColumn } from './byte-column.ts'
import type { BlockColumns } from './encode-block.ts'
import { type PairColumn, textAt } from './pair-column.ts'

/** Removes rows from all columns, in place; returns the remaining count. Rare, so simple rather than fast. */
export function removeRows(columns: BlockColumns, rowCount: number, removed: ReadonlySet<number>): number {
  const rows = { rowCount, removed }
  keepNumbers(columns.projects, 1, rows)
  keepNumbers(columns.times, 2, rows)
  keepNumbers(columns.sessionIds, 4, rows)
  keepNumbers(columns.eventIds, 4, rows)
  keepNumbers(columns.cookieless, 1, rows)
  for (const column of [columns.kinds, columns.distinctIds, ...columns.properties.promoted]) {
    keepItems(column, 'text', everyRow(rows))
  }
  for (const map of columns.properties.maps) keepPairs(map, rows)
  return rowCount - removed.size
}

interface Rows {
  readonly rowCount: number
  readonly removed: ReadonlySet<number>
}

function keepNumbers(
  values: Uint8Array | Uint32Array | Int32Array,
  width: number,
  { rowCount, removed }: Rows,
): void {
  let kept = 0
  for (let row = 0; row < rowCount; row++) {
    if (removed.has(row)) continue
    values.copyWithin(kept * width, row * width, (row + 1) * width)
    kept++
  }
}

function keepPairs(map: PairColumn, rows: Rows): void {
  const pairs = everyPair(map, rows)
  keepItems(map.keys, 'text', pairs)
  keepItems(map.values, map.width, pairs)
  const counts = Array.from({ length: rows.rowCount }, (_, row) => pairsOf(map, row))
  let kept = 0
  let pairCount = 0
  for (const [row, count] of counts.entries()) {
    if (rows.removed.has(row)) continue
    pairCount += count
    map.ends[kept++ * 2] = pairCount
  }
}

function pairsOf(map: PairColumn, row: number): number {
  return (map.ends[row * 2] ?? 0) - (row === 0 ? 0 : (map.ends[row * 2 - 2] ?? 0))
}

function everyRow({ rowCount, removed }: Rows): readonly boolean[] {
  return Array.from({ length: rowCount }, (_, row) => !removed.has(row))
}

function everyPair(map: PairColumn, { rowCount, removed }: Rows): readonly boolean[] {
  return Array.from({ length: rowCount }, (_, row) =>
    new Array<boolean>(pairsOf(map, row)).fill(!removed.has(row)),
  ).flat()
}

function keepItems(column: ByteColumn, width: 'text' | number, isKept: readonly boolean[]): void {
  let from = 0
  let to = 0
  for (const keep of isKept) {
    const end = width === 'text' ? textAt(column, from).end : from + width
    if (keep) {
      column.bytes.copyWithin(to, from, end)
      to += end - from
    }
    from = end
  }
  column.length = to
}
