import { expect, test } from 'vitest'
import { EVENTS_MAX, readItems } from './read-items.ts'

test('a list of events is read up to its limit, and refused as a whole beyond it', () => {
  let read = 0
  const items = (count: number) => {
    read = 0
    return readItems(Array(count).fill(1), () => ({ id: String(read++) }))
  }
  expect(items(EVENTS_MAX)).toMatchObject({ ok: true, value: { length: EVENTS_MAX } })
  expect(items(EVENTS_MAX + 1)).toMatchObject({ ok: false, error: { reason: 'BODY_TOO_LARGE' } })
  expect(read).toBe(0)
})
