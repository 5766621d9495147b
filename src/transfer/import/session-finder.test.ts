import { expect, test } from 'vitest'
import { SessionFinder } from './session-finder.ts'

const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

test.each([
  { name: 'a pause of exactly half an hour stays in the session', minutes: [0, 30, 60], sessions: 1 },
  { name: 'a longer pause ends it', minutes: [0, 31], sessions: 2 },
  { name: 'an earlier event that comes later belongs to it', minutes: [20, 40, 0], sessions: 1 },
])('$name', ({ minutes, sessions }) => {
  const finder = new SessionFinder()
  const ids = minutes.map((minute) => finder.find('ada', START + minute * MINUTE))
  expect(new Set(ids).size).toBe(sessions)
})

test('two people have two sessions, and a second import the same ones', () => {
  const ids = [new SessionFinder(), new SessionFinder()].map((finder) => [
    finder.find('ada', START),
    finder.find('bob', START),
  ])
  expect(ids[0]).toEqual(ids[1])
  expect(ids[0]?.[0]).not.toBe(ids[0]?.[1])
})
