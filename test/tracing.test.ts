import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTracingOn } from '../src/bin/tracing/start-tracing.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import type { CollectedSpan } from './harness/otlp-spans.ts'
import { PRIVATE_KEY, TestService } from './harness/service.ts'
import { startTraceCollector, type TraceCollector } from './harness/trace-collector.ts'
import { waitFor } from './harness/wait.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'

let collector: TraceCollector
let service: TestService

beforeAll(async () => {
  collector = await startTraceCollector()
  service = await TestService.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-token=secret-of-tests',
    OTEL_SERVICE_NAME: 'millrace-under-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench,team=a',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  })
})

afterAll(async () => {
  await service.destroy()
  await collector.stop()
})

/** Makes a call within the trace and returns its server span with everything below it. */
async function trace(
  method: string,
  body: unknown,
  traceId: string,
): Promise<{ readonly span: CollectedSpan; readonly children: readonly CollectedSpan[] }> {
  const headers = { traceparent: `00-${traceId}-${PARENT}-01`, 'x-request-id': `request-${traceId}` }
  await service.call(method, body, headers)
  return await waitFor('the server span', () => {
    const span = collector.spans.find((each) => each.traceId === traceId && each.name === method)
    return span && { span, children: collector.spans.filter(({ parentId }) => parentId === span.spanId) }
  })
}

test.each([
  [BATCH_CREATE, { events: [makeEvent()] }, '1'],
  [IDENTIFY, { distinctId: 'anon-1', externalId: 'user-1' }, '2'],
])('%s is a server span with its parts, below the span of the client', async (method, body, last) => {
  const { span, children } = await trace(method, body, TRACE.slice(0, -1) + last)
  const [service_, name] = method.split('/')
  expect(span).toMatchObject({ parentId: PARENT, kind: 2, status: 0 })
  expect(span.attributes).toEqual({
    'rpc.system': 'connect_rpc',
    'rpc.service': service_,
    'rpc.method': name,
    'rpc.response.status_code': 'ok',
    'millrace.request_id': `request-${span.traceId}`,
  })
  expect(children.map((child) => child.name).sort()).toEqual(['journal commit', 'pool task'])
  const [first, second] = [...children].sort((a, b) => (a.startNanos < b.startNanos ? -1 : 1))
  expect(span.startNanos <= (first?.startNanos ?? 0n)).toBe(true)
  expect(first?.endNanos).toBe(second?.startNanos)
  expect((second?.endNanos ?? 0n) <= span.endNanos).toBe(true)
})

test('an RPC of the query process continues the trace that the edge took in, with its statements below', async () => {
  const { span, children } = await trace(EXPLORER, {}, `${TRACE.slice(0, -1)}3`)
  expect(span).toMatchObject({ parentId: PARENT, kind: 2, status: 0 })
  expect(span.resource).toMatchObject({
    'service.name': 'millrace-under-test',
    'deployment.environment.name': 'test bench',
    team: 'a',
    'millrace.role': 'query',
  })
  expect(span.attributes).toMatchObject({ 'millrace.request_id': `request-${span.traceId}` })
  expect(children.length).toBeGreaterThan(0)
  expect(children.filter(({ name, kind }) => name !== 'clickhouse SELECT' || kind !== 3)).toEqual([])
  expect(children[0]?.attributes).toMatchObject({ 'db.system': 'clickhouse', 'db.operation.name': 'SELECT' })
})

test('a refused call has its code, and only a fault of the service is an error', async () => {
  const { span } = await trace(BATCH_CREATE, { events: [{}] }, `${TRACE.slice(0, -1)}4`)
  expect(span).toMatchObject({ status: 0, attributes: { 'rpc.response.status_code': 'invalid_argument' } })
})

test('the INSERTs of a delivery are spans', async () => {
  const insert = await waitFor('the span of an INSERT', () =>
    collector.spans.find(({ name }) => name === 'clickhouse INSERT'),
  )
  expect(insert).toMatchObject({ kind: 3, status: 0, parentId: '' })
  expect(insert.attributes['db.operation.batch.size']).toBeGreaterThan(0)
})

test('spans hold no key, no address and nothing of an event', async () => {
  const { span } = await trace(
    BATCH_CREATE,
    {
      events: [
        makeEvent({ distinctId: 'anon-hidden', autoProperties: { $url: { stringValue: 'https://hidden' } } }),
      ],
    },
    `${TRACE.slice(0, -1)}5`,
  )
  await trace(EXPLORER, { distinctId: 'anon-hidden' }, `${TRACE.slice(0, -1)}6`)
  expect(span.attributes['rpc.response.status_code']).toBe('ok')
  const text = JSON.stringify(collector.spans, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const secrets = [PRIVATE_KEY, 'anon-hidden', 'https://hidden', '127.0.0.1', 'secret-of-tests']
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(collector.headers[0]?.['x-collector-token']).toBe('secret-of-tests')
})

test('a client that asks for no sampling is not traced', async () => {
  const unsampled = `${TRACE.slice(0, -1)}7`
  await service.call(BATCH_CREATE, { events: [makeEvent()] }, { traceparent: `00-${unsampled}-${PARENT}-00` })
  await trace(BATCH_CREATE, { events: [makeEvent()] }, `${TRACE.slice(0, -1)}8`)
  expect(collector.spans.filter(({ traceId }) => traceId === unsampled)).toEqual([])
})

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'x' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_TRACES_EXPORTER: 'none' }, false],
])('with %j tracing is on: %s', (environment, isOn) => {
  expect(isTracingOn(environment)).toBe(isOn)
})
