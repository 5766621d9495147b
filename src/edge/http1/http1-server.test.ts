import { strict as assert } from 'node:assert'
import { request } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../test/harness/wait.ts'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import { createLogger } from '../../kernel/log.ts'
import { Readiness } from '../../rpc/readiness.ts'
import { BodyBudget, RequestCount } from '../exchange.ts'
import { Http1Forwarder } from './http1-forward.ts'
import { Http1Server } from './http1-server.ts'

const BUDGET_BYTES = 1000
const HALF = Buffer.alloc(BUDGET_BYTES / 2, 'x')

let budget: BodyBudget
let server: Http1Server
let port: number

beforeEach(async () => {
  budget = new BodyBudget(BUDGET_BYTES)
  const none = parseAddressRanges([])
  assert(none.ok)
  const up = async (): Promise<void> => undefined
  server = new Http1Server({
    ingestion: new Map(),
    forwarder: new Http1Forwarder({
      target: () => 'http://127.0.0.1:9',
      log: createLogger({ role: 'test', level: 'silent' }),
      errorDomain: 'test',
      idleTimeoutMs: 1000,
    }),
    readiness: new Readiness({ up }),
    budget,
    count: new RequestCount(),
    bodyBytesMax: 10 * BUDGET_BYTES,
    errorDomain: 'test',
    trustedProxies: none.value,
  })
  port = await freePort()
  await server.listen('127.0.0.1', port)
})

afterEach(() => server.close())

/** A request that has sent the first half of a body. */
function begin(): { readonly finish: () => void; readonly status: Promise<number | undefined> } {
  const call = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/x',
    headers: { 'content-length': 2 * HALF.length },
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    call.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    call.on('error', reject)
  })
  call.write(HALF)
  return { finish: () => call.end(HALF), status }
}

test('a body is not read on while all bodies together are as long as they may be', async () => {
  const [first, second] = [begin(), begin()]
  await expect.poll(() => budget.isSpent).toBe(true)
  const third = begin()
  expect(await third.status).toBe(429)
  first.finish()
  expect(await first.status).toBe(429)
  await expect.poll(() => budget.isSpent).toBe(false)
  second.finish()
  // It was forwarded, and nobody is there.
  expect(await second.status).toBe(503)
  await expect.poll(() => budget.bytes).toBe(0)
})
