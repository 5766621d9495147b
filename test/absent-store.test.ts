import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DATABASE, type Engine, startEngine } from '../src/store/embedded/engine.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'

let folder: string
let service: TestService | undefined
let engine: Engine | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-absent-'))
})

afterEach(async () => {
  await service?.destroy()
  await engine?.stop()
  service = undefined
  engine = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** A stopped ClickHouse server, with its address and users. */
async function prepareServer(): Promise<{ readonly url: string; start(): Promise<void> }> {
  const first = await startEngine({ dataFolder: folder })
  await first.stop()
  const { port } = new URL(first.url)
  return {
    url: `http://${first.admin.user}:${first.admin.password}@127.0.0.1:${port}/${DATABASE}`,
    start: async () => {
      engine = await startEngine({ dataFolder: folder, httpPort: Number(port) })
    },
  }
}

async function readiness(of: TestService): Promise<unknown> {
  const response = await fetch(`${of.url}/readyz`)
  return { status: response.status, body: await response.json() }
}

async function findEvents(of: TestService, distinctId: string): Promise<number | undefined> {
  const answer = await of.call(EXPLORER, { distinctId })
  return answer.status === 200 ? (answer.body.events as unknown[] | undefined)?.length : undefined
}

test('a service accepts events while ClickHouse is unreachable, and delivers them once it is reachable', async () => {
  const server = await prepareServer()
  const started = await TestService.start(
    { SERVICE_CLICKHOUSE_URL: server.url, SERVICE_LOG_LEVEL: 'warn' },
    'alive',
  )
  service = started
  const events = Array.from({ length: 20 }, () => makeEvent({ distinctId: 'anon-early' }))
  expect(await started.call(BATCH_CREATE, { events })).toMatchObject({ status: 200, body: { accepted: 20 } })
  expect(await readiness(started)).toEqual({ status: 503, body: { ready: false, missing: ['clickhouse'] } })
  expect(await started.call(EXPLORER, {})).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(started.output.stderr).toContain('ClickHouse cannot be prepared yet')
  await server.start()
  await waitFor('the service to be ready', async () =>
    (await fetch(`${started.url}/readyz`)).ok ? true : undefined,
  )
  await waitFor('all events', async () =>
    (await findEvents(started, 'anon-early')) === 20 ? true : undefined,
  )
})

test('events accepted without ClickHouse survive a restart', async () => {
  const server = await prepareServer()
  const started = await TestService.start(
    { SERVICE_CLICKHOUSE_URL: server.url, SERVICE_LOG_LEVEL: 'warn' },
    'alive',
  )
  service = started
  const events = [makeEvent({ distinctId: 'anon-early' })]
  expect(await started.call(BATCH_CREATE, { events })).toMatchObject({ status: 200, body: { accepted: 1 } })
  expect((await started.shutDown()).code).toBe(0)
  await server.start()
  await started.launch()
  await waitFor('the event', async () => ((await findEvents(started, 'anon-early')) === 1 ? true : undefined))
})

test('a service accepts events while its embedded ClickHouse fails to start, and delivers them once it starts', async () => {
  const started = await TestService.start({ SERVICE_LOG_LEVEL: 'warn' })
  service = started
  await started.shutDown()
  const metadata = join(started.dataDir, 'store', 'clickhouse', 'metadata', 'system.sql')
  const whole = readFileSync(metadata)
  writeFileSync(metadata, 'damaged')
  await started.launch('alive')
  const events = [makeEvent({ distinctId: 'anon-early' })]
  expect(await started.call(BATCH_CREATE, { events })).toMatchObject({ status: 200, body: { accepted: 1 } })
  expect(await readiness(started)).toEqual({ status: 503, body: { ready: false, missing: ['clickhouse'] } })
  writeFileSync(metadata, whole)
  await waitFor('the event', async () => ((await findEvents(started, 'anon-early')) === 1 ? true : undefined))
})
