import { expect, test } from 'vitest'
import { type OpenedPart, readPart, writePart } from './opened-part.ts'

const PARTS: readonly OpenedPart[] = [
  { name: '', person: '', target: { kind: 'point', series: 0, startMs: 1, endMs: 2 } },
  { name: 'tile-1', person: 'id:7', target: { kind: 'total', series: 2 } },
  { name: '', person: 'user:anna', target: { kind: 'step', series: 0, step: 1, part: 'dropped' } },
  { name: '', person: '', target: { kind: 'cell', series: 0, cohort: '2026-01-01', period: 1 } },
  {
    name: '',
    person: '',
    target: { kind: 'cell', series: 0, cohort: '2026-01-01', period: 1, part: 'absent' },
  },
  { name: '', person: '', target: { kind: 'row', value: '', isOthers: true } },
  { name: '', person: '', target: { kind: 'activity', series: 1, buckets: 7, orMore: true } },
  { name: '', person: '', target: { kind: 'node', id: '0:home' } },
  { name: '', person: '', target: { kind: 'link', source: '0:home', target: '1:shop' } },
]

test.each(PARTS)('the address keeps %j', (part) => {
  expect(readPart(writePart(part))).toEqual(part)
})

test.each([
  null,
  '',
  '7',
  'null',
  '{"kind":"unknown"}',
  '{"kind":"toString"}',
  '{"kind":"row","value":7,"isOthers":false}',
  '{"kind":"node"}',
  '{"kind":"node","id":"a","person":7}',
])('%j is no part', (text) => {
  expect(readPart(text)).toBeUndefined()
})

test('an address does not hold a long part', () => {
  const target = { kind: 'row', value: 'x'.repeat(3000), isOthers: false } as const
  expect(writePart({ name: '', person: '', target })).toBe('')
})
