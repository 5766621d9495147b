/** Columns of the grid. */
export const COLUMNS = 12

/** Most rows of a tile. */
const ROWS_MAX = 60
const WIDTH_MIN = 2
const HEIGHT_MIN = 2

/** The position and size of a tile in cells of the grid. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** A tile on the grid. */
export interface PlacedTile extends Place {
  readonly id: string
}

/** A stored tile: without a position or with a size of 0, the grid decides. */
export interface StoredTile {
  readonly id: string
  readonly position: Place | undefined
  readonly defaultSize: { readonly w: number; readonly h: number }
}

/** Positions of stored tiles: without overlaps, inside the grid, moved up into free space. */
export function placeTiles(tiles: readonly StoredTile[]): readonly PlacedTile[] {
  const sized = tiles.map(({ id, position, defaultSize }) => ({
    id,
    position,
    size: { w: position?.w || defaultSize.w, h: position?.h || defaultSize.h },
  }))
  const placed = sized.flatMap(({ id, position, size }) =>
    position ? [{ id, ...fit({ x: position.x, y: position.y, ...size }) }] : [],
  )
  const rest = sized.filter(({ position }) => position === undefined)
  let settled = settle(placed)
  for (const { id, size } of rest) settled = settle([...settled, { id, ...findRoom(settled, size) }])
  return settled
}

/** The first place in reading order that has room for a tile: in a hole between others, else below them. */
export function findRoom(tiles: readonly Place[], size: { readonly w: number; readonly h: number }): Place {
  const { w, h } = fit({ x: 0, y: 0, ...size })
  for (let y = 0; y < bottomOf(tiles); y++) {
    for (let x = 0; x <= COLUMNS - w; x++) {
      const place = { x, y, w, h }
      if (!tiles.some((tile) => overlap(tile, place))) return place
    }
  }
  return { x: 0, y: bottomOf(tiles), w, h }
}

/** The edges of a tile that others have too: columns from the left, rows from the top. */
export function sharedEdges(
  held: PlacedTile,
  tiles: readonly PlacedTile[],
): { readonly columns: readonly number[]; readonly rows: readonly number[] } {
  const others = tiles.filter(({ id }) => id !== held.id)
  const isShared = (edge: number, edgesOf: (tile: Place) => readonly number[]): boolean =>
    others.some((tile) => edgesOf(tile).includes(edge))
  return {
    columns: columnEdges(held).filter((edge) => isShared(edge, columnEdges)),
    rows: rowEdges(held).filter((edge) => isShared(edge, rowEdges)),
  }
}

function columnEdges({ x, w }: Place): readonly number[] {
  return [x, x + w]
}

function rowEdges({ y, h }: Place): readonly number[] {
  return [y, y + h]
}

/** The nearest position and size inside the grid. */
export function fit({ x, y, w, h }: Place): Place {
  const width = clamp(w, { min: WIDTH_MIN, max: COLUMNS })
  return {
    x: clamp(x, { min: 0, max: COLUMNS - width }),
    y: Math.max(0, y),
    w: width,
    h: clamp(h, { min: HEIGHT_MIN, max: ROWS_MAX }),
  }
}

/**
 * Moves tiles up until each meets one that was above it. A held tile keeps its position, and the others make room: above
 * it where they fit, otherwise below.
 */
export function settle(tiles: readonly PlacedTile[], held?: PlacedTile): readonly PlacedTile[] {
  const settled: PlacedTile[] = []
  const falling = tiles.filter(({ id }) => id !== held?.id).sort(byPlace)
  for (const tile of falling) {
    const above = settled.filter((other) => sharesColumn(tile, other))
    const landed = { ...tile, y: bottomOf(above) }
    settled.push(held && overlap(landed, held) ? { ...landed, y: held.y + held.h } : landed)
  }
  return held ? [...settled, held] : settled
}

/** A change of a tile by one step: of its place, or of its size. */
export interface Nudge {
  readonly change: 'move' | 'resize'
  /** Columns to the right, and rows or neighbours down; negative ones go back. */
  readonly x: number
  readonly y: number
}

/** The tiles after a step of one of them. Up and down pass the next tile there, as less would fall back. */
export function nudge(
  tiles: readonly PlacedTile[],
  id: string,
  { change, x, y }: Nudge,
): readonly PlacedTile[] {
  const start = tiles.find((tile) => tile.id === id)
  if (!start) return tiles
  const after = (place: Place): readonly PlacedTile[] => settle(settle(tiles, { id, ...fit(place) }))
  if (change === 'resize') {
    return after({ ...start, w: Math.min(start.w + x, COLUMNS - start.x), h: start.h + y })
  }
  if (y === 0) return after({ ...start, x: start.x + x })
  for (let rows = 1; rows <= ROWS_MAX; rows++) {
    const moved = after({ ...start, y: start.y + y * rows })
    if (moved.find((tile) => tile.id === id)?.y !== start.y) return moved
  }
  return tiles
}

/** Reading order: from top to bottom, then from left to right. */
export function byPlace(a: Place, b: Place): number {
  return a.y - b.y || a.x - b.x
}

function bottomOf(tiles: readonly Place[]): number {
  return Math.max(0, ...tiles.map(({ y, h }) => y + h))
}

function sharesColumn(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w
}

function overlap(a: Place, b: Place): boolean {
  return sharesColumn(a, b) && a.y < b.y + b.h && b.y < a.y + a.h
}

function clamp(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.min(max, Math.max(min, value))
}
