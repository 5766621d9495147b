import { expect, test } from 'vitest'
import { commonProperties, recentDays } from './recent-events.ts'

test('common properties are those of the most events, then by name, and limited', () => {
  const all = { customProperties: { price: 1, currency: 'EUR' } }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`rare_${at + 10}`, at]))
  const names = commonProperties([all, all, { customProperties: { ...many, price: 2 } }, {}])
  expect(names.slice(0, 3)).toEqual(['price', 'currency', 'rare_10'])
  expect(names).toHaveLength(8)
})

test('the last 30 days begin at midnight of the project and include today', () => {
  const nowMs = Date.parse('2026-11-22T23:30:00Z')
  expect(new Date(recentDays(nowMs, 'UTC').fromMs).toISOString()).toBe('2026-10-24T00:00:00.000Z')
  expect(new Date(recentDays(nowMs, 'Asia/Tokyo').fromMs).toISOString()).toBe('2026-10-24T15:00:00.000Z')
})
