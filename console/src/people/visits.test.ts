import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type ActivityEvent, ActivityEventSchema } from '@contract/shared/activity/v1/activity_pb.js'
import { NO_SESSION } from '@domain/uuid.ts'
import { expect, test } from 'vitest'
import { groupSessions } from './visits.ts'

interface Sample {
  readonly ms: number
  readonly session?: string
  readonly kind?: string
  readonly page?: string
  readonly city?: string
  readonly own?: Record<string, string | number>
}

function eventOf({ ms, session = 's', kind = 'page_view', page, city, own }: Sample): ActivityEvent {
  return create(ActivityEventSchema, {
    eventId: String(ms),
    kind,
    sessionId: session,
    occurTime: timestampFromMs(ms),
    autoProperties: { ...(page && { $pathname: page }), ...(city && { $city: city }) },
    customProperties: own ?? {},
  })
}

function shapeOf(samples: readonly Sample[]) {
  const newestFirst = samples.map(eventOf).sort((a, b) => Number(b.eventId) - Number(a.eventId))
  return groupSessions(newestFirst).map(({ id, items, eventCount }) => [
    id,
    eventCount,
    items.map(({ event, folded }) => [event.eventId, folded.length]),
  ])
}

test('sessions are newest first, their events earliest first', () => {
  expect(
    shapeOf([
      { ms: 1, session: 'a', page: '/' },
      { ms: 2, session: 'b', page: '/' },
      { ms: 3, session: 'a', page: '/x' },
    ]),
  ).toEqual([
    [
      'a',
      2,
      [
        ['1', 0],
        ['3', 0],
      ],
    ],
    ['b', 1, [['2', 0]]],
  ])
})

test('events without a session are grouped by pauses, whatever sessions lie between', () => {
  const [session, minuteMs] = [NO_SESSION, 60_000]
  const at = (minute: number): Sample => ({ ms: minute * minuteMs, session, kind: 'invoice_paid' })
  const newer = [at(31), at(61)]
  const groups = shapeOf([at(0), { ms: 40 * minuteMs, session: 'a', page: '/' }, ...newer])
  expect(groups.map(([id, count]) => [id, count])).toEqual([
    [`event ${61 * minuteMs}`, 2],
    ['a', 1],
    ['event 0', 1],
  ])
})

test('page views of one page in a row are folded, other events and pages are not', () => {
  expect(
    shapeOf([
      { ms: 1, page: '/a' },
      { ms: 2, page: '/a' },
      { ms: 3, page: '/b' },
      { ms: 4, kind: 'buy', page: '/b' },
      { ms: 5, kind: 'buy', page: '/b' },
      { ms: 6, page: '/b' },
    ]),
  ).toEqual([
    [
      's',
      6,
      [
        ['1', 1],
        ['3', 0],
        ['4', 0],
        ['5', 0],
        ['6', 0],
      ],
    ],
  ])
})

test('a session lasts from its first to its last event, and has the first known location', () => {
  const events = [{ ms: 9000, city: 'Paris' }, { ms: 5000, city: 'Berlin' }, { ms: 1000 }].map(eventOf)
  expect(groupSessions(events)).toMatchObject([{ startMs: 1000, endMs: 9000, city: 'Berlin' }])
})
