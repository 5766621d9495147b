import { describe, expect, test } from 'vitest'
import { COLUMNS, type PlacedTile, placeTiles, settle } from '../console/src/dashboard/grid-layout.ts'
import { dateOf, isDate, rangeOfDays, shiftDate } from '../console/src/insight/days.ts'
import { Prng } from '../src/kernel/prng.ts'

const usual = { w: 6, h: 4 }
const place = (id: string, [x, y, w, h]: readonly [number, number, number, number]): PlacedTile => ({
  id,
  x,
  y,
  w,
  h,
})
const placeOf = (tiles: readonly PlacedTile[], id: string) => tiles.find((tile) => tile.id === id)

/** Pairs of tiles that stand on each other, and tiles beside the grid. */
function findFaults(tiles: readonly PlacedTile[]): readonly string[] {
  return tiles.flatMap((a, index) => [
    ...(a.x < 0 || a.y < 0 || a.x + a.w > COLUMNS ? [`${a.id} is beside the grid`] : []),
    ...tiles
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
      .map((b) => `${a.id} and ${b.id} stand on each other`),
  ])
}

describe('tiles on the grid', () => {
  test('that have no place stand below the others, side by side', () => {
    const tiles = placeTiles([
      { id: 'new', position: undefined, usual },
      { id: 'newer', position: undefined, usual },
      { id: 'placed', position: { x: 2, y: 0, w: 4, h: 3 }, usual },
    ])
    expect(placeOf(tiles, 'new')).toMatchObject({ x: 0, y: 3 })
    expect(placeOf(tiles, 'newer')).toMatchObject({ x: 6, w: 6 })
  })

  test('take the usual size where theirs is 0, and fall up where nothing is above them', () => {
    const [tile] = placeTiles([{ id: 'a', position: { x: 11, y: 30, w: 0, h: 0 }, usual }])
    expect(tile).toEqual({ id: 'a', x: 6, y: 0, w: 6, h: 4 })
  })

  test('go above a tile that was moved down where they fit, and below it where they do not', () => {
    const [a, b] = [place('a', [0, 0, 6, 4]), place('b', [0, 4, 6, 4])]
    expect(placeOf(settle([a, b], { ...a, y: 1 }), 'b')?.y).toBe(5)
    expect(placeOf(settle([a, b], { ...a, y: 4 }), 'b')?.y).toBe(0)
  })

  test('never stand on each other or beside the grid, wherever one is moved', () => {
    const random = new Prng(11)
    const faults = Array.from({ length: 300 }, () => {
      const stored = Array.from({ length: 8 }, (_, index) => ({
        id: String(index),
        position: { x: random.below(14), y: random.below(9), w: random.below(15), h: random.below(6) },
        usual,
      }))
      const tiles = placeTiles(stored)
      const held = tiles[random.below(8)]
      if (!held) throw new Error('there is no such tile')
      const moved = { ...held, x: random.below(COLUMNS - held.w + 1), y: random.below(20) }
      return [
        ...findFaults(tiles),
        ...findFaults(settle(tiles, moved)),
        ...findFaults(settle(settle(tiles, moved))),
      ]
    }).flat()
    expect(faults).toEqual([])
  })
})

describe('days', () => {
  const iso = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string[] => [
    new Date(fromMs).toISOString(),
    new Date(toMs).toISOString(),
  ]

  test.each([
    ['UTC', '2026-01-01', '2026-01-31', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Asia/Kolkata', '2026-07-01', '2026-07-01', '2026-06-30T18:30:00.000Z', '2026-07-01T18:30:00.000Z'],
    // The clocks of Beirut went from midnight to one.
    ['Asia/Beirut', '2024-03-31', '2024-03-31', '2024-03-30T22:00:00.000Z', '2024-03-31T21:00:00.000Z'],
    // The clocks of Havana showed midnight twice.
    ['America/Havana', '2024-11-03', '2024-11-03', '2024-11-03T04:00:00.000Z', '2024-11-04T05:00:00.000Z'],
  ])('of %s from %s to %s begin and end as its clocks say', (zone, from, to, begin, end) => {
    expect(iso(rangeOfDays({ from, to }, zone))).toEqual([begin, end])
  })

  test('are those that a calendar has', () => {
    expect(['2024-02-29', '2026-02-29', '2026-13-01', '2026-1-1', ''].map(isDate)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
    expect(shiftDate('2026-03-01', -1)).toBe('2026-02-28')
    expect(dateOf(Date.parse('2026-01-01T02:00:00Z'), 'America/New_York')).toBe('2025-12-31')
  })
})
