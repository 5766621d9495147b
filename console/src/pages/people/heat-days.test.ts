import { expect, test } from 'vitest'
import { heatWeeks } from './heat-days.ts'

const MONDAY = Date.parse('2026-11-23T00:30:00Z')

test('the last week ends today, in the zone of the project', () => {
  const lastOf = (timeZone: string) =>
    heatWeeks(new Map(), { nowMs: MONDAY, timeZone })
      .at(-1)
      ?.days.map(({ date }) => date)
  expect(lastOf('UTC')).toEqual(['2026-11-23'])
  expect(lastOf('America/New_York')?.length).toBe(7)
  expect(lastOf('America/New_York')?.at(-1)).toBe('2026-11-22')
})

test('all other weeks are whole and begin on Mondays', () => {
  const weeks = heatWeeks(new Map(), { nowMs: MONDAY, timeZone: 'UTC' })
  expect(weeks.length).toBe(52)
  expect(new Set(weeks.slice(0, -1).map(({ days }) => days.length))).toEqual(new Set([7]))
  expect(weeks[0]?.days[0]?.date).toBe('2025-12-01')
})

test('a level is the share of the highest count', () => {
  const counts = new Map([
    ['2026-11-16', 1],
    ['2026-11-17', 50],
    ['2026-11-18', 100],
  ])
  const week = heatWeeks(counts, { nowMs: MONDAY, timeZone: 'UTC' }).at(-2)
  expect(week?.days.slice(0, 4).map(({ level }) => level)).toEqual([1, 3, 5, 0])
})

test('months are named where they begin', () => {
  const weeks = heatWeeks(new Map(), { nowMs: MONDAY, timeZone: 'UTC' })
  expect(weeks.flatMap(({ monthStart }) => monthStart ?? []).at(-1)).toBe('2026-11-01')
  expect(weeks.filter(({ monthStart }) => monthStart !== undefined).length).toBe(12)
})
