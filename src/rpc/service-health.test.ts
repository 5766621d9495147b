import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '../contract/gen/grpc/health/v1/health_pb.js'
import { Readiness } from './readiness.ts'
import { ServiceHealth } from './service-health.ts'

const EVENTS = 'sdk.events.v1.EventsService'
const INSIGHTS = 'shared.insights.v1.InsightsService'

function open(check: () => Promise<void> = async () => undefined) {
  const readiness = new Readiness({ clickhouse: check })
  return { readiness, health: new ServiceHealth({ readiness, independent: [EVENTS] }) }
}

const ask = (service: string) => create(HealthCheckRequestSchema, { service })
const statusesOf = async (health: ServiceHealth, names: readonly string[]): Promise<readonly Status[]> =>
  await Promise.all(names.map(async (name) => (await health.check(ask(name))).status))

test('a service is SERVING while its dependencies are available', async () => {
  expect(await statusesOf(open().health, ['', INSIGHTS, EVENTS])).toEqual([
    Status.SERVING,
    Status.SERVING,
    Status.SERVING,
  ])
})

test('without a store only the services that do not need it are SERVING', async () => {
  const { health } = open(async () => Promise.reject(new Error('gone')))
  expect(await statusesOf(health, ['', INSIGHTS, EVENTS])).toEqual([
    Status.NOT_SERVING,
    Status.NOT_SERVING,
    Status.SERVING,
  ])
})

test('a stopping process reports NOT_SERVING for every service', async () => {
  const { health, readiness } = open()
  readiness.stop()
  expect(await statusesOf(health, ['', INSIGHTS, EVENTS])).toEqual([
    Status.NOT_SERVING,
    Status.NOT_SERVING,
    Status.NOT_SERVING,
  ])
})

test('an unknown service name is not_found', async () => {
  await expect(open().health.check(ask('nobody.v1.Service'))).rejects.toMatchObject({ code: 'not_found' })
})

test('a watch reports every change, and finally the stop of the process', async () => {
  const state = { isThere: false }
  const { health, readiness } = open(async () => {
    if (!state.isThere) throw new Error('gone')
  })
  const told: Status[] = []
  for await (const { status } of health.watch(ask(INSIGHTS), new AbortController().signal)) {
    told.push(status)
    if (status === Status.SERVING) readiness.stop()
    state.isThere = true
  }
  expect(told).toEqual([Status.NOT_SERVING, Status.SERVING, Status.NOT_SERVING])
})

test('a client that leaves ends its watch and frees it for others', async () => {
  const { health } = open()
  const gone = new AbortController()
  const watches = Array.from({ length: 128 }, () => health.watch(ask(''), gone.signal))
  for (const watch of watches) expect(await watch.next()).toMatchObject({ value: { status: Status.SERVING } })
  const late = health.watch(ask(''), new AbortController().signal)
  await expect(late.next()).rejects.toMatchObject({ code: 'resource_exhausted' })
  gone.abort()
  for (const watch of watches) expect(await watch.next()).toMatchObject({ done: true })
  const next = health.watch(ask('nobody.v1.Service'), new AbortController().signal)
  expect(await next.next()).toMatchObject({ value: { status: Status.SERVICE_UNKNOWN } })
  await next.return(undefined)
})
