/** Columns of the grid. */
export const COLUMNS = 12

/** Rows that a tile may have. */
const ROWS_MAX = 40
const WIDTH_MIN = 2
const HEIGHT_MIN = 2

/** Where a tile stands and how large it is, in cells of the grid. */
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

/** A tile as it is stored: a place that is absent, or a size of 0, is left to the grid. */
export interface StoredTile {
  readonly id: string
  readonly position: Place | undefined
  readonly usual: { readonly w: number; readonly h: number }
}

/** Where stored tiles stand: no two on each other, none beside the grid, no gap above any. */
export function placeTiles(tiles: readonly StoredTile[]): readonly PlacedTile[] {
  const sized = tiles.map(({ id, position, usual }) => ({
    id,
    position,
    size: { w: position?.w || usual.w, h: position?.h || usual.h },
  }))
  const placed = sized.flatMap(({ id, position, size }) =>
    position ? [{ id, ...fit({ x: position.x, y: position.y, ...size }) }] : [],
  )
  const rest = sized.filter(({ position }) => position === undefined)
  return settle([...placed, ...flow(rest, bottomOf(placed))])
}

/** Tiles without a place stand below the others, side by side where there is room. */
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

/** A place inside the grid, as close as can be. */
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
 * Lets tiles fall up, each until it meets one that was above it. A held tile stays where it is, and the others make room:
 * above it where they fit, else below.
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

/** From top to bottom, and from left to right: how people read. */
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
