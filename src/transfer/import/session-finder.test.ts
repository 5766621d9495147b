import { expect, test } from 'vitest'
import { SessionFinder, type Sighting } from './session-finder.ts'

const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

/** Device and distinct id of an event, and its minute. */
type Seen = readonly [device: string | undefined, distinctId: string, minute: number]

function sessionsOf(finder: SessionFinder, events: readonly Seen[]): string[] {
  return events.map(([device, distinctId, minute]) =>
    finder.find({ device, distinctId, timeMs: START + minute * MINUTE } satisfies Sighting),
  )
}

test.each([
  { name: 'a pause of exactly half an hour stays in the session', minutes: [0, 30, 60], sessions: 1 },
  { name: 'a longer pause ends it', minutes: [0, 31], sessions: 2 },
  { name: 'an earlier event that comes later belongs to it', minutes: [20, 40, 0], sessions: 1 },
])('$name', ({ minutes, sessions }) => {
  const ids = sessionsOf(
    new SessionFinder(),
    minutes.map((minute) => [undefined, 'ada', minute]),
  )
  expect(new Set(ids).size).toBe(sessions)
})

test.each<{ name: string; events: readonly Seen[]; sessions: readonly number[] }>([
  {
    name: 'signing in does not end a session',
    events: [
      ['anon-1', 'anon-1', 0],
      ['anon-1', 'ada', 5],
      ['anon-1', 'ada', 10],
    ],
    sessions: [0, 0, 0],
  },
  {
    name: 'what a server sends of the user after that belongs to it',
    events: [
      ['anon-1', 'anon-1', 0],
      ['anon-1', 'ada', 5],
      [undefined, 'ada', 10],
    ],
    sessions: [0, 0, 0],
  },
  {
    name: 'the anonymous events may follow the others in the file',
    events: [
      ['anon-1', 'ada', 5],
      ['anon-1', 'anon-1', 0],
    ],
    sessions: [0, 0],
  },
  {
    name: 'two people on one device have two sessions',
    events: [
      ['anon-1', 'ada', 0],
      ['anon-1', 'bob', 5],
      ['anon-1', 'bob', 6],
    ],
    sessions: [0, 1, 1],
  },
  {
    name: 'one person who signs in on a second device has a session on each',
    events: [
      ['anon-1', 'ada', 0],
      ['anon-2', 'anon-2', 1],
      ['anon-2', 'ada', 2],
      ['anon-1', 'ada', 3],
    ],
    sessions: [0, 1, 1, 0],
  },
])('$name', ({ events, sessions }) => {
  const ids = sessionsOf(new SessionFinder(), events)
  const numbers = [...new Set(ids)]
  expect(ids.map((id) => numbers.indexOf(id))).toEqual(sessions)
})

test('an Identify continues the session under the user', () => {
  const finder = new SessionFinder()
  const [before] = sessionsOf(finder, [['anon-1', 'anon-1', 0]])
  finder.link('anon-1', 'ada')
  expect(sessionsOf(finder, [[undefined, 'ada', 5]])).toEqual([before])
})

test('an Identify does not replace a later session of the user', () => {
  const finder = new SessionFinder()
  const [, later] = sessionsOf(finder, [
    ['anon-1', 'anon-1', 0],
    [undefined, 'ada', 60],
  ])
  finder.link('anon-1', 'ada')
  expect(sessionsOf(finder, [[undefined, 'ada', 65]])).toEqual([later])
})

test('two users have two sessions, and importing again yields the same ones', () => {
  const ids = [new SessionFinder(), new SessionFinder()].map((finder) =>
    sessionsOf(finder, [
      [undefined, 'ada', 0],
      [undefined, 'bob', 0],
    ]),
  )
  expect(ids[0]).toEqual(ids[1])
  expect(ids[0]?.[0]).not.toBe(ids[0]?.[1])
})
