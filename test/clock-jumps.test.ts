import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEdgeMetric, waitUntilDrained } from './faults/drain.ts'
import { BATCH_CREATE, type JsonEvent, makeEvent } from './harness/events.ts'
import { PRIVATE_KEY, PUBLIC_KEY, runMillrace, TestService } from './harness/service.ts'
import { SkewedClock } from './harness/skewed-clock.ts'
import { waitFor } from './harness/wait.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EVENTS_PER_SECOND = 20

/** Where the clock goes, from where it is: each jump starts at the end of the one before. */
const JUMPS: readonly (readonly [title: string, skewMs: number])[] = [
  ['back by seven hours', -7 * HOUR_MS],
  ['forward by nineteen hours', 12 * HOUR_MS],
  ['back by three days', -2 * DAY_MS - 12 * HOUR_MS],
  ['forward by five days', 2 * DAY_MS + 12 * HOUR_MS],
]

const clock = new SkewedClock()
let service: TestService

beforeAll(async () => {
  service = await TestService.start({
    ...clock.environment,
    SERVICE_RATE_LIMIT_EVENTS_PER_SECOND: String(EVENTS_PER_SECOND),
  })
})

afterAll(async () => {
  await service?.destroy()
  clock.remove()
})

async function createKey(): Promise<{ readonly id: string; readonly text: string }> {
  const { stdout } = await runMillrace(['keys', 'create', '1', 'public'], service.environment)
  const text = stdout.trim()
  const list = await runMillrace(['keys', 'list'], service.environment)
  const row = list.stdout.split('\n').find((line) => line.includes(text.slice(-4)))
  return { id: row?.split(' ')[0] ?? '', text }
}

async function send(events: readonly JsonEvent[], key: string) {
  const answer = await service.call(BATCH_CREATE, { events }, { 'x-api-key': key })
  return { status: answer.status, body: answer.body }
}

function cookieless(timeMs: number): JsonEvent {
  const { distinctId: _, sessionId: __, ...event } = makeEvent({ kind: 'cookieless', cookieless: true })
  return { ...event, occurTime: new Date(timeMs).toISOString() }
}

test.each(JUMPS)('a clock that jumps %s', async (title, skewMs) => {
  const limited = await createKey()
  // A key that owes a second of events at the moment of the jump.
  const burst = Array.from({ length: 3 * EVENTS_PER_SECOND }, () => makeEvent({ kind: 'burst' }))
  expect(await send(burst, limited.text)).toEqual({ status: 200, body: { accepted: burst.length } })
  expect((await send([makeEvent()], limited.text)).status).toBe(429)
  clock.set(skewMs)

  const kind = title.replaceAll(' ', '_')
  const { text: key } = await createKey()
  const events = Array.from({ length: 10 }, () => makeEvent({ kind }))
  expect(await send(events, key)).toEqual({ status: 200, body: { accepted: 10 } })
  // The batch timer: what was sent is delivered within its 200 ms and a little patience, not hours later.
  expect(await waitUntilDrained(service)).toBeLessThan(10)
  const { body } = await service.call('shared.activity.v1.ActivityService/GetEventExplorer', {
    events: [{ kind }],
  })
  expect(body.events).toHaveLength(10)
  const ageSeconds = await readEdgeMetric(service, 'millrace_journal_oldest_age_seconds')
  expect(ageSeconds).toBeGreaterThanOrEqual(0)
  expect(ageSeconds).toBeLessThan(60)

  // Today and yesterday are those of the service's clock.
  const nowMs = Date.now() + skewMs
  const served = await send([cookieless(nowMs - 1000), cookieless(nowMs - DAY_MS - 1000)], PRIVATE_KEY)
  expect(served).toEqual({ status: 200, body: { accepted: 2 } })
  const dropped = await send(
    [cookieless(nowMs + DAY_MS + 1000), cookieless(nowMs - 2 * DAY_MS - 1000)],
    PRIVATE_KEY,
  )
  expect(dropped.body).toEqual({ dropped: 2, droppedByReason: { day_out_of_range: 2 } })

  // The debt is paid in seconds, and a revoked key stops working within five.
  await waitFor('the debt to be paid', async () =>
    (await send([makeEvent()], limited.text)).status === 200 ? true : undefined,
  )
  await runMillrace(['keys', 'revoke', limited.id], service.environment)
  await waitFor(
    'the revoked key to be refused',
    async () => ((await send([makeEvent()], limited.text)).status === 401 ? true : undefined),
    10_000,
  )
  expect((await send([makeEvent()], PUBLIC_KEY)).status).toBe(200)
})
