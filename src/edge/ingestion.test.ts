import { beforeEach, describe, expect, test, vi } from 'vitest'
import { asProjectId } from '../contract/ids.ts'
import { monotonicMs } from '../kernel/clock.ts'
import { createLogger } from '../kernel/log.ts'
import { metricsAsJson } from '../kernel/metrics.ts'
import type { IdentifyCall, IdentifyOutcome } from '../pipeline/identify/identify-task.ts'
import type { Answer } from '../rpc/answer.ts'
import { type KeyLimits, parseLimits } from '../store/catalog/key-limits.ts'
import type { KeyResolver } from '../store/catalog/key-resolver.ts'
import { ClientFactsReader } from './client-facts.ts'
import type { BodyOutcome, Exchange, RequestHead } from './exchange.ts'
import { IDENTIFY_PATH, Identify } from './identify.ts'
import { chooseKey, Ingestion } from './ingestion.ts'
import { RateLimiter } from './rate-limit.ts'
import { TokenGuesses } from './token-guesses.ts'

const PUBLIC_KEY = 'pub_known'
const BODY = '{"externalId":"ann"}'
const GRANT = { projectId: 7 }

let keys: Map<string, { readonly projectId: number; readonly limits?: KeyLimits | undefined } | null>
/** Whether keys are in the cache. */
let isRemembered: boolean
let isOverloaded: boolean
let queued: IdentifyCall[]
let decide: (call: IdentifyCall) => Promise<IdentifyOutcome>
let withdrawn: unknown[]
let rateLimiter: RateLimiter | undefined
/** The projects and reasons of warnings. */
let noted: (readonly [projectId: number, reason: string | false])[]

beforeEach(() => {
  keys = new Map([[PUBLIC_KEY, GRANT]])
  isRemembered = true
  isOverloaded = false
  queued = []
  withdrawn = []
  decide = async () => ({ isAccepted: true })
  rateLimiter = undefined
  noted = []
})

function createIngestion(): Ingestion {
  const resolver = {
    peek: (key: string) => (isRemembered ? keys.get(key) : undefined),
    resolve: async (key: string) => keys.get(key) ?? null,
  } as unknown as KeyResolver
  const queue = {
    isFull: false,
    submit: async (call: IdentifyCall) => {
      queued.push(call)
      return await decide(call)
    },
    withdraw: (_: IdentifyCall, error: unknown) => void withdrawn.push(error),
  }
  return new Ingestion(new Identify(queue), {
    keys: resolver,
    rateLimiter,
    guesses: new TokenGuesses({ nowMs: monotonicMs }),
    warnings: {
      noteOutcome: (source, outcome) =>
        void noted.push([source.projectId, 'reason' in outcome && outcome.reason]),
      noteRejection: (source, reason) => void noted.push([source.projectId, reason]),
    },
    log: createLogger({ role: 'test', level: 'silent' }),
    clients: new ClientFactsReader({ cidrs: [], includes: () => false }),
    clock: { nowMs: () => 1000 },
    errorDomain: 'millrace.test',
    bodyBytesMax: 1024,
    isOverloaded: () => isOverloaded,
  })
}

interface Sent {
  /** The head of a connection that repeats it, instead of a new one. */
  readonly head?: RequestHead
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Serves one request and resolves with its answer. */
async function send(ingestion: Ingestion, sent: Sent): Promise<Answer> {
  const { body = BODY, head = headOf(sent) } = sent
  const answered = Promise.withResolvers<Answer>()
  const exchange: Exchange = {
    isOver: false,
    onGone: () => undefined,
    readBody: (bytesMax: number, done: (outcome: BodyOutcome) => void) =>
      done(bytesMax === 0 ? { refused: 'too_large' } : { body: Buffer.from(body) }),
    answer: answered.resolve,
  }
  ingestion.serve(head, exchange)
  return await answered.promise
}

function headOf({ query = '', headers = {} }: Sent): RequestHead {
  const all: Record<string, string> = { 'content-type': 'application/json', ...headers }
  return {
    method: 'post',
    path: IDENTIFY_PATH,
    hasTrailers: false,
    query,
    peer: '192.0.2.1',
    header: (name) => all[name],
  }
}

const idOf = ({ headers }: Answer): string | undefined =>
  headers.find(([name]) => name === 'x-request-id')?.[1]

const WITH_KEY = { headers: { 'x-api-key': PUBLIC_KEY } }

interface Metric {
  readonly name: string
  readonly values: readonly { readonly labels: { readonly reason?: string }; readonly value: number }[]
}

async function rejections(): Promise<Readonly<Record<string, number>>> {
  const metrics = (await metricsAsJson()) as readonly Metric[]
  const { values } = metrics.find(({ name }) => name === 'millrace_identifies_rejected_total') ?? {}
  return Object.fromEntries((values ?? []).map(({ labels, value }) => [String(labels.reason), value]))
}

describe('Identify', () => {
  test('queues a call of a valid key for its project and answers', async () => {
    const { status, body } = await send(createIngestion(), WITH_KEY)
    expect({ status, body: String(body) }).toEqual({ status: 200, body: '{}' })
    expect(queued.map(({ projectId, codec, bytes }) => [projectId, codec, String(bytes)])).toEqual([
      [asProjectId(7), 'json', BODY],
    ])
  })

  test('stamps calls in the order of their arrival, even if the clock does not advance', async () => {
    const ingestion = createIngestion()
    await send(ingestion, WITH_KEY)
    await send(ingestion, WITH_KEY)
    expect(queued.map(({ receivedMicros }) => receivedMicros)).toEqual([1_000_000, 1_000_001])
  })

  test('gives each request of a repeated head an id of its own, and keeps that of the client', async () => {
    const ingestion = createIngestion()
    const plain = { head: { ...headOf(WITH_KEY), isRepeated: true } }
    const named = {
      head: { ...headOf({ headers: { ...WITH_KEY.headers, 'x-request-id': 'a-1' } }), isRepeated: true },
    }
    const answers: Answer[] = []
    for (const sent of [plain, plain, plain, named, named]) answers.push(await send(ingestion, sent))
    const ids = answers.map(idOf)
    expect(new Set(ids.slice(0, 3)).size).toBe(3)
    expect(ids.slice(3)).toEqual(['a-1', 'a-1'])
    expect(queued.map(({ projectId }) => projectId)).toEqual(new Array(5).fill(7))
  })

  test('resolves the key of a repeated head each time', async () => {
    const ingestion = createIngestion()
    const sent = { head: { ...headOf(WITH_KEY), isRepeated: true } }
    const statuses = [(await send(ingestion, sent)).status, (await send(ingestion, sent)).status]
    keys.set(PUBLIC_KEY, null)
    expect([...statuses, (await send(ingestion, sent)).status]).toEqual([200, 200, 401])
  })

  test('accepts a beacon with a public key in the query string', async () => {
    const headers = { 'content-type': 'text/plain' }
    const { status } = await send(createIngestion(), { query: `api_key=${PUBLIC_KEY}`, headers })
    expect(status).toBe(200)
    expect(queued).toHaveLength(1)
  })

  test('rejects a call above the rate of its key, and names the rate in every answer', async () => {
    rateLimiter = new RateLimiter({ eventsPerSecond: 1, nowMs: () => 0 })
    const ingestion = createIngestion()
    const answers = []
    for (let count = 0; count < 3; count++) answers.push(await send(ingestion, WITH_KEY))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers.map(({ headers }) => Object.fromEntries(headers)['ratelimit-limit'])).toEqual([
      '1',
      '1',
      '1',
    ])
    expect(queued).toHaveLength(2)
    expect(noted).toEqual([[7, 'RATE_LIMITED']])
  })

  test.each<readonly [string, () => void, Sent, number, string]>([
    ['an unknown key', () => keys.clear(), WITH_KEY, 401, 'INVALID_API_KEY'],
    ['no key', () => undefined, {}, 401, 'INVALID_API_KEY'],
    [
      'a full process',
      () => {
        isOverloaded = true
      },
      WITH_KEY,
      429,
      'OVERLOADED',
    ],
    [
      'a rule that the call breaks',
      () => {
        decide = async () => ({
          isAccepted: false,
          code: 'invalid_argument',
          reason: 'INVALID_REQUEST',
          message: 'no external id',
        })
      },
      WITH_KEY,
      400,
      'INVALID_REQUEST',
    ],
  ])('counts a rejection for %s once', async (_, arrange, sent, status, reason) => {
    const before = (await rejections())[reason] ?? 0
    arrange()
    expect((await send(createIngestion(), sent)).status).toBe(status)
    expect((await rejections())[reason]).toBe(before + 1)
    expect(noted).toEqual(reason === 'INVALID_API_KEY' ? [] : [[7, reason]])
  })

  describe('with a key that has limits', () => {
    const limited = (limits: Parameters<typeof parseLimits>[0]): void => {
      keys.set(PUBLIC_KEY, { ...GRANT, limits: parseLimits(limits) })
    }

    test.each([
      ['expired', { expires_ms: 1000, allowed_addresses: '' }, 401, 'API_KEY_EXPIRED'],
      ['foreign', { expires_ms: null, allowed_addresses: '198.51.100.0/24' }, 403, 'ADDRESS_NOT_ALLOWED'],
    ] as const)('refuses an %s one, remembered or looked up', async (_, limits, status, reason) => {
      limited(limits)
      expect((await send(createIngestion(), WITH_KEY)).status).toBe(status)
      isRemembered = false
      expect((await send(createIngestion(), WITH_KEY)).status).toBe(status)
      expect(noted).toEqual([
        [7, reason],
        [7, reason],
      ])
      expect(queued).toEqual([])
    })

    test('takes one within them', async () => {
      limited({ expires_ms: 1001, allowed_addresses: '198.51.100.0/24 192.0.2.1' })
      expect((await send(createIngestion(), WITH_KEY)).status).toBe(200)
      isRemembered = false
      expect((await send(createIngestion(), WITH_KEY)).status).toBe(200)
    })
  })

  test('withdraws a call at its deadline, and returns the decision of the queue', async () => {
    const decision = Promise.withResolvers<IdentifyOutcome>()
    decide = async () => await decision.promise
    const answer = send(createIngestion(), {
      headers: { 'x-api-key': PUBLIC_KEY, 'connect-timeout-ms': '1' },
    })
    await vi.waitFor(() => expect(withdrawn).toMatchObject([{ code: 'deadline_exceeded' }]))
    decision.reject(withdrawn[0])
    expect((await answer).status).toBe(504)
  })
})

describe('the key of a request', () => {
  const chosen = (query: string, sent?: string) =>
    chooseKey({ query, header: (name) => (name === 'x-api-key' ? sent : undefined) })

  test.each([
    ['', 'prv_a', { text: 'prv_a', isBeacon: false }],
    ['api_key=pub_b', 'prv_a', { text: 'prv_a', isBeacon: false }],
    ['api_key=pub_b', undefined, { text: 'pub_b', isBeacon: true }],
    ['a=1&api_key=pub_%62', '', { text: 'pub_b', isBeacon: true }],
    ['', undefined, { text: '', isBeacon: false }],
  ])('with the query %j and the header %j is %j', (query, sent, expected) => {
    expect(chosen(query, sent)).toEqual(expected)
  })

  test.each(['prv_a', 'a', ' pub_a', ''])('in the query string must be a public one, not %j', (key) => {
    expect(chosen(new URLSearchParams({ api_key: key }).toString())).toEqual({ text: '', isBeacon: true })
  })
})
