import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COLUMNS, findRoom, nudge, type PlacedTile, placeTiles, settle, sharedEdges } from './grid-layout.ts'

const defaultSize = { w: 6, h: 4 }
const place = (id: string, [x, y, w, h]: readonly [number, number, number, number]): PlacedTile => ({
  id,
  x,
  y,
  w,
  h,
})
const placeOf = (tiles: readonly PlacedTile[], id: string) => tiles.find((tile) => tile.id === id)

/** Pairs of tiles that overlap, and tiles that leave the grid. */
function findFaults(tiles: readonly PlacedTile[]): readonly string[] {
  return tiles.flatMap((a, index) => [
    ...(a.x < 0 || a.y < 0 || a.x + a.w > COLUMNS ? [`${a.id} leaves the grid`] : []),
    ...tiles
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
      .map((b) => `${a.id} and ${b.id} overlap`),
  ])
}

describe('tiles on the grid', () => {
  test('without a position are placed where there is room, in order', () => {
    const tiles = placeTiles([
      { id: 'new', position: undefined, defaultSize },
      { id: 'newer', position: undefined, defaultSize },
      { id: 'placed', position: { x: 2, y: 0, w: 4, h: 3 }, defaultSize },
    ])
    // Beside the placed tile there is room for one.
    expect(placeOf(tiles, 'new')).toMatchObject({ x: 6, y: 0 })
    expect(placeOf(tiles, 'newer')).toMatchObject({ x: 0, w: 6 })
  })

  test.each([
    ['an empty grid', [], { x: 0, y: 0 }],
    ['a hole at the right', [place('a', [0, 0, 6, 4])], { x: 6, y: 0 }],
    ['a hole between tiles', [place('a', [0, 0, 3, 4]), place('b', [9, 0, 3, 4])], { x: 3, y: 0 }],
    ['no hole that is large enough', [place('a', [0, 0, 4, 4]), place('b', [8, 0, 4, 4])], { x: 0, y: 4 }],
    ['a hole below a lower tile', [place('a', [0, 0, 6, 8]), place('b', [6, 0, 6, 2])], { x: 6, y: 2 }],
  ])('are added to %s', (_, tiles, room) => {
    expect(findRoom(tiles, { w: 6, h: 4 })).toMatchObject(room)
  })

  test('share the edges that snap lines are drawn at', () => {
    const [a, b] = [place('a', [0, 0, 6, 4]), place('b', [6, 2, 6, 2])]
    expect(sharedEdges(a, [a, b])).toEqual({ columns: [6], rows: [4] })
    expect(sharedEdges(a, [a])).toEqual({ columns: [], rows: [] })
  })

  test('take the default size where theirs is 0, and move up into free space', () => {
    const [tile] = placeTiles([{ id: 'a', position: { x: 11, y: 30, w: 0, h: 0 }, defaultSize }])
    expect(tile).toEqual({ id: 'a', x: 6, y: 0, w: 6, h: 4 })
  })

  test('move above a tile that was moved down where they fit, and below it otherwise', () => {
    const [a, b] = [place('a', [0, 0, 6, 4]), place('b', [0, 4, 6, 4])]
    expect(placeOf(settle([a, b], { ...a, y: 1 }), 'b')?.y).toBe(5)
    expect(placeOf(settle([a, b], { ...a, y: 4 }), 'b')?.y).toBe(0)
  })

  test('pass the next tile with one step up or down, and change by one column or row otherwise', () => {
    const tiles = [place('a', [0, 0, 6, 4]), place('b', [0, 4, 6, 7]), place('c', [6, 0, 6, 4])]
    const moved = (x: number, y: number, change: 'move' | 'resize' = 'move') =>
      placeOf(nudge(tiles, 'a', { change, x, y }), 'a')
    expect(moved(0, 1)).toMatchObject({ x: 0, y: 7 })
    expect(moved(0, -1)).toMatchObject({ x: 0, y: 0 })
    expect(moved(1, 0)).toMatchObject({ x: 1, y: 0 })
    expect(moved(-1, 0)).toMatchObject({ x: 0, y: 0 })
    expect(moved(1, 0, 'resize')).toMatchObject({ w: 7, h: 4 })
    expect(moved(0, -3, 'resize')).toMatchObject({ w: 6, h: 2 })
    expect(findFaults(nudge(tiles, 'a', { change: 'resize', x: 6, y: 0 }))).toEqual([])
  })

  test('never overlap or leave the grid, wherever one is moved', () => {
    const below = (max: number) => fc.integer({ min: 0, max: max - 1 })
    const position = fc.record({ x: below(14), y: below(9), w: below(15), h: below(6) })
    const positions = fc.array(position, { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(positions, below(8), below(COLUMNS), below(20), (stored, held, x, y) => {
        const tiles = placeTiles(
          stored.map((position, index) => ({ id: String(index), position, defaultSize })),
        )
        const start = tiles[held] ?? place('missing', [0, 0, 1, 1])
        const settled = settle(tiles, { ...start, x: Math.min(x, COLUMNS - start.w), y })
        expect([tiles, settled, settle(settled)].flatMap(findFaults)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
