import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import type { Event, PropertyValue } from '../event/event.ts'
import { EventColumns } from './event-columns.ts'
import { COLUMNS } from './event-table-columns.ts'
import { toNativeBlocks } from './stored-block.ts'

const CONTEXT = { projectId: asProjectId(7), requestIndex: 0 }

const value: fc.Arbitrary<PropertyValue> = fc.oneof(
  fc.string({ maxLength: 300 }).map((text) => ({ type: 'string', value: text }) as const),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((integer) => ({ type: 'int', value: integer }) as const),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((double) => ({ type: 'double', value: double }) as const),
  fc.boolean().map((bool) => ({ type: 'bool', value: bool }) as const),
  fc.nat().map((ms) => ({ type: 'time', value: ms }) as const),
)

const event: fc.Arbitrary<Event> = fc.record({
  eventId: fc.uuid(),
  kind: fc.stringMatching(/^[a-z]{1,20}$/),
  timeMs: fc.nat(),
  distinctId: fc.string({ minLength: 1, maxLength: 200 }),
  sessionId: fc.uuid(),
  cookieless: fc.constant(false),
  properties: fc
    .dictionary(fc.constantFrom('$url', '$browser', 'a', 'b', 'ü'), value, { noNullPrototype: true })
    .map((dictionary) => Object.entries(dictionary).map(([key, item]) => ({ key, value: item }))),
})

function store(events: readonly Event[]): Buffer {
  const columns = new EventColumns()
  for (const item of events) columns.addEvent(item, CONTEXT)
  return columns.finish().bytes
}

test('joined blocks equal the block of all their rows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(event, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
      (batches) => {
        const joined = toNativeBlocks(batches.map(store))
        expect(joined).toEqual(toNativeBlocks([store(batches.flat())]))
      },
    ),
  )
})

test('a column is sent when any row of any block has a value in it', () => {
  const [sample] = fc.sample(event, 1)
  if (!sample) throw new Error('there is no sample')
  const plain = { ...sample, properties: [] }
  const tagged: Event = { ...sample, properties: [{ key: 'a', value: { type: 'int', value: 1n } }] }
  const sentColumns = (...batches: Event[][]): string[] => {
    const text = Buffer.concat(toNativeBlocks(batches.map(store))).toString('latin1')
    return ['kind', 'cookieless', 'browser', 'ints'].filter((name) =>
      text.includes(String.fromCharCode(name.length) + name),
    )
  }
  expect(sentColumns([plain], [plain, plain])).toEqual(['kind', 'cookieless'])
  expect(sentColumns([plain, plain], [plain, tagged])).toEqual(['kind', 'cookieless', 'ints'])
})

test('a block whose length differs from its header is rejected', () => {
  const block = store(fc.sample(event, 3))
  expect(() => toNativeBlocks([block.subarray(0, block.length - 1)])).toThrow(
    'does not have the length in its header',
  )
})

test('a block of an unknown layout is rejected', () => {
  const block = Buffer.from(store(fc.sample(event, 1)))
  block.writeUInt32LE(99, 0)
  expect(() => toNativeBlocks([block])).toThrow('layout 99')
})

test('the columns of layout 1 never change: a change of the table needs a new layout', () => {
  const digest = createHash('sha256').update(JSON.stringify(COLUMNS)).digest('hex')
  expect(digest.slice(0, 16)).toBe('22e4f5094b905169')
})
