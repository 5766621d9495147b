import { expect, test } from 'vitest'
import { decodeBatchJsonSlow } from '../../pipeline/decode/json-slow.ts'
import { generateTraffic } from './generate-traffic.ts'

const OPTIONS = {
  seed: 7,
  users: 400,
  events: 20_000,
  fromMs: Date.UTC(2026, 0, 1),
  toMs: Date.UTC(2026, 0, 31),
} as const

const DAY_MS = 86_400_000
const deeds = [...generateTraffic(OPTIONS)]

test('equal seeds generate equal traffic, different seeds different traffic', () => {
  expect([...generateTraffic(OPTIONS)]).toEqual(deeds)
  const [other] = generateTraffic({ ...OPTIONS, seed: 8 })
  expect(other).not.toEqual(deeds[0])
})

test('the traffic has the requested number of events, in order of time and within the range', () => {
  const times = deeds.map(({ timeMs }) => timeMs)
  expect(deeds).toHaveLength(OPTIONS.events)
  expect(times).toEqual([...times].sort((left, right) => left - right))
  expect(
    [times[0], times.at(-1)].every((ms) => ms !== undefined && ms >= OPTIONS.fromMs && ms < OPTIONS.toMs),
  ).toBe(true)
})

test('traffic follows the curve of days and hours to the end of the range', () => {
  const halves = [OPTIONS.toMs - 2 * DAY_MS, OPTIONS.toMs - DAY_MS].map(
    (fromMs) => deeds.filter(({ timeMs }) => timeMs >= fromMs && timeMs < fromMs + DAY_MS).length,
  )
  expect(Math.min(...halves)).toBeGreaterThan(OPTIONS.events / 60)
  expect(deeds.at(-1)?.timeMs).toBeGreaterThan(OPTIONS.toMs - 3_600_000)
})

test.each(
  [1, 2, 7, 50, 1000].flatMap((events) =>
    [60_000, 3 * 3_600_000, DAY_MS, 8.3 * DAY_MS].map((spanMs) => ({ events, spanMs })),
  ),
)('$events events fill a range of $spanMs ms', ({ events, spanMs }) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    for (const users of [1, 30]) {
      const toMs = Date.UTC(2026, 4, 4) + seed * 17_000_000 + 12_345
      const traffic = [...generateTraffic({ seed, users, events, fromMs: toMs - spanMs, toMs })]
      const stray = traffic.filter(({ timeMs }) => timeMs < toMs - spanMs || timeMs >= toMs)
      expect([seed, users, traffic.length, stray]).toEqual([seed, users, events, []])
    }
  }
})

test('every event is valid and has a unique id', () => {
  const texts = deeds.slice(0, 1000).map(({ event }) => JSON.stringify(event))
  expect(decodeBatchJsonSlow(Buffer.from(`{"events":[${texts.join(',')}]}`))).toHaveLength(1000)
  expect(new Set(deeds.map(({ event }) => event.eventId)).size).toBe(deeds.length)
})

test('fewer visitors take each further step, in order', () => {
  const counts = ['signup', 'trial_started', 'purchase'].map(
    (kind) =>
      new Set(deeds.filter(({ event }) => event.kind === kind).map(({ event }) => event.distinctId)).size,
  )
  expect(counts).toEqual([...counts].sort((left, right) => right - left))
  expect(counts.at(-1)).toBeGreaterThan(0)
  const signUps = deeds.filter(({ event }) => event.kind === 'signup')
  expect(signUps.map(({ identify }) => identify?.externalId)).toEqual(
    signUps.map(({ event }) => event.distinctId),
  )
})

test('visitors who sign up have a name and a unique email address', () => {
  const traits = deeds.flatMap(({ identify }) => (identify?.traits ? [identify.traits] : []))
  expect(traits.length).toBeGreaterThan(20)
  expect(traits.every(({ name }) => /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(String(name)))).toBe(true)
  expect(new Set(traits.map(({ email }) => email)).size).toBe(traits.length)
})

test('traffic follows the time of day and the day of the week', () => {
  const hour = (of: number): number =>
    deeds.filter(({ timeMs }) => new Date(timeMs).getUTCHours() === of).length
  const day = (of: number): number => deeds.filter(({ timeMs }) => new Date(timeMs).getUTCDay() === of).length
  expect(hour(19)).toBeGreaterThan(3 * hour(3))
  expect(day(2)).toBeGreaterThan(day(0))
})

test('visitors return less and less often', () => {
  const first = new Map<string, number>()
  const after = { week: 0, later: 0 }
  for (const { timeMs, event } of deeds) {
    const sinceMs = timeMs - (first.get(event.distinctId) ?? timeMs)
    if (!first.has(event.distinctId)) first.set(event.distinctId, timeMs)
    if (sinceMs > DAY_MS && sinceMs <= 8 * DAY_MS) after.week++
    if (sinceMs > 8 * DAY_MS && sinceMs <= 15 * DAY_MS) after.later++
  }
  expect(after.week).toBeGreaterThan(after.later)
})
