import { randomUUID } from 'node:crypto'
import { connect as connectHttp2 } from 'node:http2'
import { text as readText } from 'node:stream/consumers'
import { BATCH_CREATE } from '../../harness/events.ts'
import { waitFor } from '../../harness/wait.ts'
import { parseAnswers, type RawAnswer, request } from '../../protocols/raw-connection.ts'
import { call, JSON_CALL, openRaw } from '../client.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'
import type { Setup } from '../target.ts'

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const AGENT = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
}

/** An address that any client may claim. */
const FORGED = '203.0.113.9'

const PROXY_V1 = Buffer.from(`PROXY TCP4 ${FORGED} 127.0.0.1 40000 3000\r\n`)

function proxyV2(command: number, more: Buffer = Buffer.alloc(0)): Buffer {
  const addresses = Buffer.from([203, 0, 113, 9, 127, 0, 0, 1, 0x9c, 0x40, 0x0b, 0xb8])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(addresses.length + more.length)
  return Buffer.concat([SIGNATURE, Buffer.from([0x20 | command, 0x11]), length, addresses, more])
}

/** Headers that name the location of a client. */
const HEADERS: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ['X-Forwarded-For', { 'x-forwarded-for': FORGED }],
  ['CF-Connecting-IP', { 'cf-connecting-ip': FORGED }],
  ['True-Client-IP', { 'true-client-ip': FORGED }],
  ['Forwarded', { forwarded: `for=${FORGED}` }],
  ['X-Real-IP', { 'x-real-ip': FORGED }],
  ['X-Client-IP', { 'x-client-ip': FORGED }],
  [
    'CF-IPCountry and its kin',
    { 'cf-ipcountry': 'NO', 'cf-ipcity': 'Oslo', 'cf-region': 'Oslo', 'cf-ipcontinent': 'EU' },
  ],
  ['CF-Bot-Score', { 'cf-bot-score': '1', 'cf-verified-bot': 'true' }],
  [
    'headers that a service may use inside',
    {
      'x-millrace-client': FORGED,
      'x-millrace-peer': FORGED,
      'x-client-address': FORGED,
      'x-service-client-address': FORGED,
      'x-edge-client': FORGED,
      'x-peer-address': FORGED,
    },
  ],
]

/** A batch of one cookieless event of a kind of its own. */
function batchOf(kind: string): string {
  return JSON.stringify({
    events: [{ eventId: randomUUID(), kind, occurTime: new Date().toISOString(), cookieless: true }],
  })
}

function ingest(
  service: ServiceUnderAttack,
  kind: string,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  return request(
    `POST /${BATCH_CREATE}`,
    { ...JSON_CALL, ...AGENT, 'x-api-key': service.publicKey, ...headers },
    batchOf(kind),
  )
}

/** The stored properties of the client that sent the event of that kind. */
async function readBack(service: ServiceUnderAttack, kind: string): Promise<string> {
  const event = await waitFor(
    `the event ${kind}`,
    async () => {
      const { json } = await call(
        service.url,
        'shared.activity.v1.ActivityService/GetEventExplorer',
        { pageSize: 1, events: [{ kind }] },
        { 'x-api-key': service.privateKey },
      )
      const [found] = (json.events ?? []) as Record<string, unknown>[]
      return found
    },
    10_000,
  )
  const properties =
    JSON.stringify(event).match(/"\$(country|city|region|continent|bot_score|verified_bot)":[^,}]*/g) ?? []
  return `${String(event.distinctId)} ${properties.join(' ')}`
}

async function exchange(
  service: ServiceUnderAttack,
  ...parts: readonly Buffer[]
): Promise<readonly RawAnswer[]> {
  return await exchangeFrom(service.attacker, service, ...parts)
}

async function exchangeFrom(
  from: string,
  service: ServiceUnderAttack,
  ...parts: readonly Buffer[]
): Promise<readonly RawAnswer[]> {
  const connection = await openRaw(service.url, from)
  try {
    for (const [index, part] of parts.entries()) {
      await connection.write(part)
      // A refusal ends the connection, and no further answer follows.
      await waitFor('an answer or the end', () => {
        const { answers } = parseAnswers(connection.received, connection.isEnded)
        return connection.isEnded || answers.length > index ? true : undefined
      })
    }
    // The last request closes the connection, so that its end marks the last answer.
    await connection.untilEnded()
    return parseAnswers(connection.received, true).answers
  } catch {
    return []
  } finally {
    connection.close()
  }
}

let kinds = 0
const newKind = (): string => `forged_${process.pid}_${kinds++}`

/** The trace of a client that forges nothing. */
async function honestTrace(service: ServiceUnderAttack): Promise<string> {
  const kind = newKind()
  const [answer] = await exchange(service, ingest(service, kind, { connection: 'close' }))
  claim(answer?.status === 200, () => `an honest event is answered with ${answer?.status}`)
  return await readBack(service, kind)
}

/** Whether an event left another trace than an honest one; what was refused left none. */
async function checkTrace(
  service: ServiceUnderAttack,
  kind: string,
  answers: readonly RawAnswer[],
): Promise<void> {
  if (!answers.some(({ body }) => body.includes('accepted'))) return
  const [honest, forged] = [await honestTrace(service), await readBack(service, kind)]
  claim(forged === honest, () => `the event has ${forged}, an honest one has ${honest}`)
}

const headers: readonly Statement[] = HEADERS.flatMap(([what, forged]) => [
  {
    title: `${what} from an untrusted peer has no effect over HTTP/1.1`,
    setup: 'direct' as const,
    check: async (service) => {
      const kind = newKind()
      await checkTrace(
        service,
        kind,
        await exchange(service, ingest(service, kind, { ...forged, connection: 'close' })),
      )
    },
  },
  {
    title: `${what} from an untrusted peer has no effect over HTTP/2`,
    setup: 'direct' as const,
    check: async (service) => {
      const kind = newKind()
      const session = connectHttp2(service.url, { localAddress: service.attacker } as object)
      const stream = session.request({
        ':method': 'POST',
        ':path': `/${BATCH_CREATE}`,
        ...JSON_CALL,
        ...AGENT,
        ...forged,
        'x-api-key': service.publicKey,
      })
      stream.end(batchOf(kind))
      const body = await readText(stream)
      session.destroy()
      await checkTrace(service, kind, [{ status: 200, headers: {}, body }])
    },
  },
])

const PROXY_HEADERS: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['A PROXY header of version 1', PROXY_V1],
  ['A PROXY header of version 2', proxyV2(1)],
  [
    'A PROXY header of version 2 with 4 KiB of extensions',
    proxyV2(1, Buffer.concat([Buffer.from([0xea, 0x0f, 0xfd]), Buffer.alloc(4093)])),
  ],
  ['A local PROXY header', proxyV2(0)],
]

/** Where a header of the PROXY protocol can stand on a connection. */
const PLACES: readonly (readonly [
  where: string,
  setups: readonly Setup[],
  send: (service: ServiceUnderAttack, proxy: Buffer, kind: string) => Promise<readonly RawAnswer[]>,
])[] = [
  [
    'before the first request',
    ['direct', 'http1-only'],
    async (service, proxy, kind) =>
      await exchange(service, Buffer.concat([proxy, ingest(service, kind, { connection: 'close' })])),
  ],
  [
    'before the second request',
    ['direct', 'proxied', 'http1-only'],
    async (service, proxy, kind) =>
      await exchange(
        service,
        ingest(service, newKind()),
        Buffer.concat([proxy, ingest(service, kind, { connection: 'close' })]),
      ).then((answers) => answers.slice(1)),
  ],
  [
    'in the same bytes as a request before it',
    ['direct', 'proxied'],
    async (service, proxy, kind) =>
      await exchange(
        service,
        Buffer.concat([ingest(service, newKind()), proxy, ingest(service, kind, { connection: 'close' })]),
      ).then((answers) => answers.slice(1)),
  ],
  [
    'behind another one',
    ['direct'],
    async (service, proxy, kind) =>
      await exchange(
        service,
        Buffer.concat([proxyV2(0), proxy, ingest(service, kind, { connection: 'close' })]),
      ),
  ],
  [
    'in a body that is shorter than its length announces',
    ['direct', 'proxied'],
    async (service, proxy, kind) =>
      await exchange(
        service,
        Buffer.concat([
          request(
            `POST /${BATCH_CREATE}`,
            { ...JSON_CALL, 'x-api-key': service.publicKey, 'content-length': '2' },
            '{}',
          ),
          proxy,
          ingest(service, kind, { connection: 'close' }),
        ]),
      ).then((answers) => answers.slice(1)),
  ],
]

const proxies: readonly Statement[] = PLACES.flatMap(([where, setups, send]) =>
  setups.flatMap((setup) =>
    PROXY_HEADERS.map(
      ([what, bytes]): Statement => ({
        title: `${what} ${where} is not trusted (${setup})`,
        setup,
        check: async (service) => {
          const kind = newKind()
          await checkTrace(service, kind, await send(service, bytes, kind))
        },
      }),
    ),
  ),
)

/** The guessing client is slowed down afterwards; other statements are not. */
const GUESSER = '127.0.0.67'

const SIGN_IN = 'public.auth.v1.AuthService/SignInWithEmail'

/** Sends wrong passwords that come from one peer and claim to come from many places. */
async function guess(
  service: ServiceUnderAttack,
  count: number,
  forge: (index: number) => { readonly headers?: Record<string, string>; readonly prefix?: Buffer },
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  for (let index = 0; index < count; index += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, offset) => {
        const { headers = {}, prefix = Buffer.alloc(0) } = forge(index + offset)
        const attempt = request(
          `POST /${SIGN_IN}`,
          { ...JSON_CALL, ...headers, connection: 'close' },
          JSON.stringify({ email: `guess-${process.pid}-${index + offset}@example.org`, password: 'wrong' }),
        )
        const [answer] = await exchangeFrom(GUESSER, service, Buffer.concat([prefix, attempt]))
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1)
      }),
    )
  }
  return statuses
}

const guesses: readonly Statement[] = (
  [
    ['X-Forwarded-For', (index: number) => ({ headers: { 'x-forwarded-for': `203.0.113.${index}` } })],
    ['CF-Connecting-IP', (index: number) => ({ headers: { 'cf-connecting-ip': `198.51.${index}.1` } })],
  ] as const
).map(
  ([what, forge]): Statement => ({
    title: `passwords guessed from one peer behind many forged ${what} are as limited as from one address`,
    setup: 'direct',
    isSlow: true,
    check: async (service) => {
      const statuses = await guess(service, 100, forge)
      claim(!statuses.has(200), () => `signed in: ${[...statuses]}`)
      // Fifty from one address are wrong; what comes after them waits.
      claim(
        (statuses.get(401) ?? 0) <= 60,
        () => `${[...statuses].map(([status, count]) => `${status}: ${count}`)}`,
      )
    },
  }),
)

/** Which peers may name the address and location of a client. */
export const identity: Chapter = { name: 'identity', statements: [...headers, ...proxies, ...guesses] }
