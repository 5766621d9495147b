import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const QUERY = 'shared.insights.v1.InsightsService/Query'
const EVENTS = 40

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
  const events = Array.from({ length: EVENTS }, () => makeEvent({ kind: 'visit' }))
  expect(await service.call(BATCH_CREATE, { events })).toMatchObject({ body: { accepted: EVENTS } })
  await waitFor('the events', async () => {
    const { body } = await service.call(QUERY, countSince('2020-01-01T00:00:00Z'))
    return JSON.stringify(body).includes(`"total":${EVENTS}`) ? true : undefined
  })
})

afterAll(async () => await service?.destroy())

function countSince(from: string): object {
  return {
    spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION' },
    granularity: 'GRANULARITY_MONTH',
    timeRange: { from, to: '2029-01-01T00:00:00Z' },
  }
}

/** The parameters of each metric of the header. */
function readTiming(headers: Headers): Readonly<Record<string, string>> {
  const metrics = (headers.get('server-timing') ?? '').split(', ')
  return Object.fromEntries(metrics.map((metric) => metric.split(/;(?:dur|desc)=/)))
}

test('an answer has the rows that the store read and the time that it took', async () => {
  const { headers } = await service.call(QUERY, countSince('2021-01-01T00:00:00Z'))
  const { store, rows, bytes, cache } = readTiming(headers)
  expect(Number(store)).toBeGreaterThan(0)
  expect(Number(JSON.parse(rows ?? ''))).toBeGreaterThanOrEqual(EVENTS)
  expect(Number(JSON.parse(bytes ?? ''))).toBeGreaterThan(EVENTS)
  expect(cache).toBe('"miss"')
})

test('a cached answer is marked, with its original cost', async () => {
  const ask = async (headers = {}) =>
    readTiming((await service.call(QUERY, countSince('2022-01-01T00:00:00Z'), headers)).headers)
  const computed = await ask()
  expect(await ask()).toEqual({ ...computed, cache: '"hit"' })
  expect(await ask({ 'cache-control': 'no-cache' })).toMatchObject({ cache: '"miss"' })
})

test('a refused call has no cost', async () => {
  const { status, headers } = await service.call(QUERY, { spec: {} })
  expect([status, headers.get('server-timing')]).toEqual([400, null])
})
