import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import type { Event } from '../event/event.ts'
import { EventColumns } from './event-columns.ts'
import { RecentEventIds } from './recent-event-ids.ts'

const EVENT: Event = {
  eventId: '01930000-0000-7000-8000-00000000000a',
  kind: 'page_view',
  timeMs: 1_700_000_000_123,
  distinctId: 'anon-1',
  sessionId: 'fedcba98-7654-4321-8fff-0123456789ab',
  cookieless: false,
  properties: [],
}

/** Puts events into a block of a project and counts in it. */
function count(recent: RecentEventIds, events: readonly Event[], projectId = 7): number {
  const columns = new EventColumns()
  for (const event of events) columns.addEvent(event, { projectId: asProjectId(projectId), requestIndex: 0 })
  let clashes = -1
  columns.finish({
    inspect: (of, rowCount) => {
      clashes = recent.countClashes(of, rowCount)
    },
  })
  return clashes
}

test.each([
  ['another kind', { kind: 'page_vieW' }],
  ['another distinct id', { distinctId: 'anon-2' }],
  ['a longer distinct id', { distinctId: `anon-1${'x'.repeat(500)}` }],
  ['a time of a millisecond later', { timeMs: EVENT.timeMs + 1 }],
  ['a time of 2^32 milliseconds later', { timeMs: EVENT.timeMs + 2 ** 32 }],
])('an id with %s is counted, in one block and in two', (_, change) => {
  const other = { ...EVENT, ...change }
  expect(count(new RecentEventIds(), [EVENT, other])).toBe(1)
  const recent = new RecentEventIds()
  expect(count(recent, [EVENT])).toBe(0)
  expect(count(recent, [other])).toBe(1)
})

test('a copy of an event is not a clash, regardless of its properties', () => {
  const again: Event = { ...EVENT, properties: [{ key: 'a', value: { type: 'string', value: 'b' } }] }
  expect(count(new RecentEventIds(), [EVENT, EVENT, again])).toBe(0)
})

test('equal ids of different projects are no clash', () => {
  const recent = new RecentEventIds()
  count(recent, [EVENT], 7)
  expect(count(recent, [{ ...EVENT, kind: 'other' }], 8)).toBe(0)
})

test('different ids are no clash', () => {
  const recent = new RecentEventIds()
  const events = Array.from({ length: 100_000 }, () => ({
    ...EVENT,
    eventId: randomUUID(),
    kind: randomUUID(),
  }))
  expect(count(recent, events)).toBe(0)
})

test('ids that differ in one bit are no clash', () => {
  const hex = EVENT.eventId.replaceAll('-', '')
  const events = Array.from({ length: 128 }, (_, bit) => {
    const flipped = (BigInt(`0x${hex}`) ^ (1n << BigInt(bit))).toString(16).padStart(32, '0')
    const eventId = flipped.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    return { ...EVENT, eventId, kind: `kind ${bit}` }
  })
  expect(count(new RecentEventIds(), [EVENT, ...events])).toBe(0)
})

test('the count equals that of a map of all ids', () => {
  const event = fc.record({
    eventId: fc.integer({ min: 0, max: 5 }).map((digit) => EVENT.eventId.replace(/a$/, String(digit))),
    kind: fc.string({ minLength: 1, maxLength: 9, unit: 'grapheme' }),
    distinctId: fc.constantFrom('a', 'ab', 'abcdé', 'x'.repeat(127), 'x'.repeat(128), 'x'.repeat(20_000)),
    timeMs: fc.integer({ min: 0, max: 3 }).map((step) => step * 2 ** 31),
  })
  fc.assert(
    fc.property(fc.array(fc.array(event, { minLength: 1, maxLength: 10 }), { maxLength: 10 }), (blocks) => {
      const recent = new RecentEventIds()
      const known = new Map<string, string>()
      for (const fields of blocks) {
        let expected = 0
        for (const { eventId, ...content } of fields) {
          const text = JSON.stringify(content)
          if ((known.get(eventId) ?? text) !== text) expected++
          known.set(eventId, text)
        }
        expect(
          count(
            recent,
            fields.map((of) => ({ ...EVENT, ...of })),
          ),
        ).toBe(expected)
      }
    }),
  )
})
