import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Prng } from '../../src/kernel/prng.ts'
import { AnswerSource, type AskedAnswer, bodyOf, pathOf } from '../harness/answer-source.ts'
import { ForwardingEdge } from '../harness/forwarding-edge.ts'
import { hasSystemTool } from '../harness/system-tool.ts'
import { waitFor } from '../harness/wait.ts'
import { type AnswerClient, openHttp1Client, openHttp2Client, type Reading } from './answer-client.ts'
import { makeCertificate } from './child-server.ts'

const KIB = 1024
/** Buffers between a query process and a client: of the library, of pipes and streams, of Unix sockets and of TCP. */
const BUFFERS = [15, 16, 64, 128, 208, 256, 512, 1024].map((size) => size * KIB)
const SIZES = [0, 1, ...BUFFERS.flatMap((size) => [size - 1, size, size + 1])]

/** Rounds of requests; more for a longer search, with other bytes each time. */
const ROUNDS = Number(process.env.ANSWER_ROUNDS ?? 1)
const CLIENT_COUNT = 64
const READINGS: readonly Reading[] = ['at once', 'slowly', 'with pauses']

interface Way {
  readonly name: string
  readonly isTls: boolean
  readonly open: (edge: ForwardingEdge) => AnswerClient
}

const WAYS: readonly Way[] = [false, true].flatMap((isTls) => {
  const wire = isTls ? 'TLS' : 'cleartext'
  return [
    { name: `HTTP/1.1 over ${wire}`, isTls, open: (edge) => openHttp1Client(edge.http1Url) },
    { name: `HTTP/1.1 behind the front over ${wire}`, isTls, open: (edge) => openHttp1Client(edge.frontUrl) },
    { name: `HTTP/2 over ${wire}`, isTls, open: (edge) => openHttp2Client(edge.frontUrl) },
  ] satisfies Way[]
})

const folder = mkdtempSync(join(tmpdir(), 'millrace-answers-'))
const hasOpenssl = hasSystemTool('openssl', 'openssl')
const tls = hasOpenssl ? makeCertificate(folder) : undefined
let source: AnswerSource
let edge: ForwardingEdge
let clients: AnswerClient[] = []

beforeAll(async () => {
  source = await AnswerSource.open()
})

afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  edge.close()
})

afterAll(() => {
  source.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openClients({ isTls, open }: Way, count: number): Promise<readonly AnswerClient[]> {
  edge = await ForwardingEdge.open({ target: source.url, ...(isTls && tls ? { tls } : {}) })
  clients = Array.from({ length: count }, () => open(edge))
  return clients
}

/** A comparison of megabytes by the test library would take seconds. */
async function check(client: AnswerClient, asked: AskedAnswer, reading: Reading): Promise<void> {
  const received = await client.ask(pathOf(asked), reading)
  const isSame = received.equals(bodyOf(asked))
  expect({ ...asked, reading, bytes: received.length, isSame }).toMatchObject({
    bytes: asked.size,
    isSame: true,
  })
}

async function checkNothingRuns(): Promise<void> {
  await waitFor('no request to be under way', () => (edge.count.running === 0 ? true : undefined))
}

describe.each(WAYS)('over $name', (way) => {
  describe.runIf(!way.isTls || hasOpenssl)('answers come as the query process sent them', () => {
    test.for([...Array(ROUNDS).keys()].flatMap((round) => [[round, true] as const, [round, false] as const]))(
      'of every size over one connection: round %i, length given: %s',
      async ([round, isSized]) => {
        const [client] = await openClients(way, 1)
        for (const size of SIZES)
          if (client) await check(client, { size, seed: size + round, isSized }, 'at once')
        await checkNothingRuns()
      },
    )

    test.for([...Array(ROUNDS).keys()])('to many clients at once: round %i', async (round) => {
      const random = new Prng(round)
      const asking = (await openClients(way, CLIENT_COUNT)).map(async (client, index) => {
        const size = random.below(index % 16 === 0 ? 2048 * KIB : 400 * KIB)
        const asked = { size, seed: random.below(1_000_000), isSized: random.chance(0.5) }
        await check(client, asked, READINGS[index % READINGS.length] ?? 'at once')
        await check(client, { ...asked, size: 1 }, 'at once')
      })
      await Promise.all(asking)
      await checkNothingRuns()
    })

    test.for([true, false])('to a client that pauses, length given: %s', async (isSized) => {
      const [client] = await openClients(way, 1)
      if (client) await check(client, { size: 16_384 * KIB, seed: 7, isSized }, 'with pauses')
    })
  })
})
