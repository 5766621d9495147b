import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { type EngineEndpoint, readEngineEndpoint } from '../../src/store/embedded/engine.ts'
import { findFreePort } from '../../src/store/embedded/readiness.ts'
import type { Teardown } from '../teardown.ts'
import { processCpuSeconds, processProportionalMib, processResidentMibMax } from './cpu.ts'
import { type BenchStore, connectStore } from './store.ts'

/** The whole service, started as an operator starts it. */
export interface BenchService {
  readonly url: string
  readonly publicKey: string
  readonly privateKey: string
  readonly dataDir: string
  readonly store: BenchStore
  /** CPU seconds so far of each of its processes, by role. */
  cpuSeconds(): ReadonlyMap<string, number>
  /** Most MiB of memory that each of its processes has had resident so far, by role. */
  residentMibMax(): ReadonlyMap<string, number>
  /** MiB of memory of each of its processes now, by role; pages that several of them use are shared out. */
  proportionalMib(): ReadonlyMap<string, number>
  /** Calls InsightsService.Query over HTTP. */
  query(request: QueryRequest): Promise<QueryResponse>
}

const COMMAND = fileURLToPath(import.meta.resolve('../../bin/millrace.js'))
const PUBLIC_KEY = `pub_${'b'.repeat(32)}`
const PRIVATE_KEY = `prv_${'b'.repeat(32)}`
const START_MS_MAX = 240_000
const STOP_MS_MAX = 60_000
const LOOK_EVERY_MS = 50

/**
 * Starts every role with some settings on free ports and a temporary folder if they name none, with the settings' fallbacks otherwise, except that
 * no days are kept: a question that is asked again and again must cost what it costs once. Resolves when ready. Without a role of its own that runs one, `elsewhere` is its engine.
 */
export async function startService(
  teardown: Teardown,
  settings: Readonly<Record<string, string>> = {},
  elsewhere?: EngineEndpoint,
): Promise<BenchService> {
  const dataDir = settings.SERVICE_DATA_DIR ?? teardown.temporaryFolder()
  const port = await findFreePort()
  const child = spawn(process.execPath, [COMMAND, 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Nothing else: a setting of this shell must not change what is measured.
    env: {
      SERVICE_SERVER_PORT: String(port),
      SERVICE_ADMIN_PORT: String(await findFreePort()),
      SERVICE_DATA_DIR: dataDir,
      SERVICE_BOOTSTRAP_PUBLIC_KEY: PUBLIC_KEY,
      SERVICE_BOOTSTRAP_PRIVATE_KEY: PRIVATE_KEY,
      SERVICE_LOG_LEVEL: 'warn',
      SERVICE_KEPT_DAYS_MAX_BYTES: '0',
      ...settings,
    },
  })
  teardown.defer(async () => await stop(child))
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, child)
  const engine = elsewhere ?? readEngineEndpoint(dataDir)
  if (!engine) throw new Error('the service runs no engine')
  return {
    url,
    publicKey: PUBLIC_KEY,
    privateKey: PRIVATE_KEY,
    dataDir,
    store: connectStore(engine, teardown),
    cpuSeconds: () => readByRole(join(dataDir, 'run'), processCpuSeconds),
    residentMibMax: () => readByRole(join(dataDir, 'run'), processResidentMibMax),
    proportionalMib: () => readByRole(join(dataDir, 'run'), processProportionalMib),
    query: async (request) => await callQuery(url, request),
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const endMs = monotonicMs() + START_MS_MAX
  while (monotonicMs() < endMs && child.exitCode === null) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error('the service did not become ready')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await exited
  clearTimeout(timer)
}

function readByRole(runFolder: string, read: (pid: number) => number): Map<string, number> {
  const files = readdirSync(runFolder).filter((name) => name.endsWith('.pid'))
  return new Map(
    files.map((name) => {
      const pid = Number(readFileSync(join(runFolder, name), 'utf8'))
      return [basename(name, '.pid'), read(pid)]
    }),
  )
}

async function callQuery(url: string, request: QueryRequest): Promise<QueryResponse> {
  const response = await fetch(`${url}/shared.insights.v1.InsightsService/Query`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'connect-protocol-version': '1',
      'x-api-key': PRIVATE_KEY,
      // The answer of a round before must not stand for this one.
      'cache-control': 'no-cache',
    },
    body: JSON.stringify(toJson(QueryRequestSchema, request)),
  })
  if (!response.ok) throw new Error(`the query failed: ${response.status} ${await response.text()}`)
  const answer: JsonValue = JSON.parse(await response.text())
  return fromJson(QueryResponseSchema, answer)
}
