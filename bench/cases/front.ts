import type { BenchCase, MeasureRound } from '../case.ts'
import { type BareServer, startBareServer } from '../rig/bare.ts'
import { batchCreate, sendLoad } from '../rig/load.ts'
import { type BenchService, startService } from '../rig/service.ts'
import type { Teardown } from '../teardown.ts'

const CONNECTIONS = 64
const REQUESTS = 64 * 1000
const EMPTY_BATCH = Buffer.from('{}')
const BARE = 'a bare uWebSockets.js route'

/** An authenticated call that does nothing, on HTTP/1.1: what the front and the protocol cost. */
export const frontCases: readonly BenchCase[] = [
  { name: 'noop/http1-direct', mode: 'off' },
  { name: 'noop/http1-shared', mode: 'on' },
].map(({ name, mode }) => ({
  name,
  unit: 'µs CPU/request',
  baseline: BARE,
  rounds: 5,
  prepare: async (teardown) => await prepare(mode, teardown),
}))

async function prepare(mode: string, teardown: Teardown): Promise<MeasureRound> {
  const service = await startService(teardown, { SERVICE_HTTP2: mode })
  const bare = await startBareServer(teardown)
  return async () => ({ cost: await costOfEdge(service), baseline: await costOfBare(bare) })
}

async function costOfEdge(service: BenchService): Promise<number> {
  const edgeSeconds = (): number => service.cpuSeconds().get('edge') ?? 0
  return await cost(service.url, service.publicKey, edgeSeconds)
}

async function costOfBare(bare: BareServer): Promise<number> {
  return await cost(bare.url, 'none', () => bare.cpuSeconds())
}

async function cost(url: string, apiKey: string, cpuSeconds: () => number): Promise<number> {
  const before = cpuSeconds()
  await sendLoad({
    url,
    target: batchCreate(apiKey),
    connections: CONNECTIONS,
    requests: REQUESTS,
    nextBody: () => EMPTY_BATCH,
  })
  return ((cpuSeconds() - before) * 1e6) / REQUESTS
}
