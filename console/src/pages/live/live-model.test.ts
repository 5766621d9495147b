import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { RealtimeMinuteSchema } from '@contract/millrace/web/v1/realtime_pb.js'
import {
  type ActivityEvent,
  ActivityEventSchema,
  type EventUser,
  EventUserSchema,
} from '@contract/shared/activity/v1/activity_pb.js'
import { expect, test } from 'vitest'
import {
  countNew,
  datedAheadMs,
  EVENTS_MAX,
  groupEvents,
  liveNumbers,
  mergeEvents,
  neighbourOf,
  personOf,
  rememberUsers,
} from './live-model.ts'

function eventAt(
  arrivalMs: number,
  more: Partial<Pick<ActivityEvent, 'kind' | 'occurTime' | 'customProperties' | 'autoProperties'>> = {},
): ActivityEvent {
  return create(ActivityEventSchema, {
    eventId: `event-${arrivalMs}`,
    kind: 'page_view',
    distinctId: 'ann',
    occurTime: timestampFromMs(arrivalMs),
    arrivalTime: timestampFromMs(arrivalMs),
    ...more,
  })
}

const arrivalsOf = (events: readonly ActivityEvent[]): readonly string[] =>
  events.map(({ eventId }) => eventId)

test('an answer that overlaps adds its new events, and known ones keep their object', () => {
  const known = [eventAt(3), eventAt(2), eventAt(1)]
  const merged = mergeEvents(known, [eventAt(4), eventAt(3)])
  expect(arrivalsOf(merged)).toEqual(['event-4', 'event-3', 'event-2', 'event-1'])
  expect(merged[1]).toBe(known[0])
  expect(countNew(merged, known)).toBe(1)
  expect(mergeEvents(merged, [eventAt(4), eventAt(3)])).toBe(merged)
})

test('an answer without a known event replaces the list, which would have a gap', () => {
  expect(arrivalsOf(mergeEvents([eventAt(1)], [eventAt(9), eventAt(8)]))).toEqual(['event-9', 'event-8'])
})

test('the oldest events leave a full list', () => {
  const full = Array.from({ length: EVENTS_MAX }, (_, index) => eventAt(EVENTS_MAX - index))
  const merged = mergeEvents(full, [eventAt(EVENTS_MAX + 1), eventAt(EVENTS_MAX)])
  expect(merged).toHaveLength(EVENTS_MAX)
  expect(merged.at(-1)?.eventId).toBe('event-2')
})

test.each([
  [
    'second',
    undefined,
    [
      [2000, 1],
      [1999, 2],
    ],
  ],
  ['part of time', () => 'day', [[2000, 3]]],
] as const)('events of one %s are one group', (_, partOf, expected) => {
  const groups = groupEvents([eventAt(2000), eventAt(1999), eventAt(1000)], partOf)
  expect(groups.map(({ startMs, events }) => [startMs, events.length])).toEqual(expected)
})

test('an event is marked when it is dated more than five minutes after its arrival', () => {
  const dated = (ms: number): number =>
    datedAheadMs(eventAt(10 ** 7, { occurTime: timestampFromMs(10 ** 7 + ms) }))
  expect([dated(300_000), dated(300_001), dated(-300_001)]).toEqual([0, 300_001, 0])
})

const userOf = (distinctId: string, name = 'Ann'): EventUser =>
  create(EventUserSchema, { distinctId, externalId: 'ann', profileId: 'p1', traits: { name } })

test('the person of an event is the identified one, else the anonymous one with its id', () => {
  const users = rememberUsers(new Map(), [userOf('anon-1')])
  expect(personOf(users, 'anon-1')).toEqual({ id: 'p1', externalId: 'ann', properties: { name: 'Ann' } })
  expect(personOf(users, 'anon-2')).toEqual({ id: 'anon-2', externalId: '' })
})

test('users are remembered until many others follow, and change only with their content', () => {
  const users = rememberUsers(new Map(), [userOf('anon-1')])
  expect(rememberUsers(users, [userOf('anon-1')])).toBe(users)
  expect(rememberUsers(users, [userOf('anon-1', 'Bea')]).get('anon-1')?.traits).toEqual({ name: 'Bea' })
  const many = Array.from({ length: 2 * EVENTS_MAX }, (_, number) => userOf(`new-${number}`))
  const later = rememberUsers(users, many)
  expect([later.size, later.has('anon-1')]).toEqual([2 * EVENTS_MAX, false])
})

test('the rate is the mean of complete minutes, page views are of all of them', () => {
  const minutes = [100, 10, 10, 10, 10, 20, 999].map((events, index) =>
    create(RealtimeMinuteSchema, { events: BigInt(events), pageViews: BigInt(index) }),
  )
  expect(liveNumbers(minutes)).toEqual({ eventsPerMinute: 12, pageViews: 21 })
  expect(liveNumbers([])).toEqual({ eventsPerMinute: 0, pageViews: 0 })
})

test('the list has a next and a previous event, but none beyond its ends', () => {
  const [first, second] = [eventAt(2), eventAt(1)]
  expect(neighbourOf([first, second], first, 1)).toBe(second)
  expect(neighbourOf([first, second], first, -1)).toBeUndefined()
  expect(neighbourOf([first], second, 1)).toBeUndefined()
})
