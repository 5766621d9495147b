import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { VisitorSchema, VisitSchema } from '@contract/millrace/web/v1/visits_service_pb.js'
import { expect, test } from 'vitest'
import { lengthOf, neighbourOf, personOf, sourceOf } from './describe-session.ts'

test.each([
  [{ id: 'u1', profileId: 'p', traits: { name: 'Ada' } }, 'Ada', '/p/7/people/user%3Au1'],
  [{ id: 'anon-1' }, 'Visitor anon-1', '/p/7/people/id%3Aanon-1'],
  [{ id: 'cookieless-x', isCookieless: true }, 'Visitor ', undefined],
])('%j is shown as %s and leads to %s', (visitor, name, href) => {
  const person = personOf(create(VisitorSchema, visitor), '7')
  expect([person.name.name.slice(0, name.length), person.href]).toEqual([name, href])
})

test('a session that bounced has no length, another one may last an instant', () => {
  const times = { startTime: timestampFromMs(1000), endTime: timestampFromMs(1000) }
  expect(lengthOf(create(VisitSchema, { ...times, bounced: true }))).toBe('')
  expect(lengthOf(create(VisitSchema, times))).toBe('0s')
  expect(lengthOf(create(VisitSchema, { ...times, endTime: timestampFromMs(126_000) }))).toBe('2m 5s')
})

test('a source is the campaign, else the referrer, else the channel', () => {
  expect(sourceOf({ utmSource: 'letter', referrer: 'a.example', channel: 'Email' })).toBe('letter')
  expect(sourceOf({ utmSource: '', referrer: 'a.example', channel: 'Referral' })).toBe('a.example')
  expect(sourceOf({ utmSource: '', referrer: '', channel: 'Direct' })).toBe('Direct')
})

test.each([
  ['b', 1, 'c'],
  ['b', -1, 'a'],
  ['c', 1, undefined],
  ['a', -1, undefined],
  ['elsewhere', 1, 'a'],
  ['', -1, undefined],
] as const)('from %j by %i leads to %j', (id, by, neighbour) => {
  expect(neighbourOf(['a', 'b', 'c'], { id, by })).toBe(neighbour)
})
