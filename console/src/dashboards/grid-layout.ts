/** Columns of the grid. */
export const COLUMNS = 12

/** Most rows of a tile. */
const ROWS_MAX = 40
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
  return settle([...placed, ...flow(rest, bottomOf(placed))])
}

/** Places tiles without a position below the others, side by side where they fit. */
function flow(
  tiles: readonly { readonly id: string; readonly size: { readonly w: number; readonly h: number } }[],
  top: number,
): readonly PlacedTile[] {
  let [x, y, height] = [0, top, 0]
  return tiles.map(({ id, size }) => {
    if (x + size.w > COLUMNS) [x, y, height] = [0, y + height, 0]
    const tile = { id, ...fit({ x, y, ...size }) }
    x += tile.w
    height = Math.max(height, tile.h)
    return tile
  })
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
