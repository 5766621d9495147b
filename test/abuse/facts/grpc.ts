import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { BATCH_CREATE } from '../../harness/events.ts'
import { checkWords } from '../refusal.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

const GRPC = { 'content-type': 'application/grpc+proto', te: 'trailers' } as const
const EMPTY_FRAME = Buffer.alloc(5)

/** Statuses of gRPC by what they mean. */
const STATUS = {
  ok: 0,
  invalid: 3,
  notFound: 5,
  denied: 7,
  exhausted: 8,
  unimplemented: 12,
  unauthenticated: 16,
  deadline: 4,
} as const

/** Calls a method with the client of @grpc/grpc-js, and gives the status. */
async function statusOf(
  service: ServiceUnderAttack,
  path: string,
  {
    message = Buffer.alloc(0),
    metadata = {},
  }: { readonly message?: Buffer; readonly metadata?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly code: number; readonly details: string; readonly message?: Buffer }> {
  const client = new Client(new URL(service.url).host, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  })
  const sent = new Metadata()
  for (const [name, value] of Object.entries(metadata)) sent.set(name, value)
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest<Buffer, Buffer>(
        path,
        (bytes) => bytes,
        (bytes) => bytes,
        message,
        sent,
        { deadline: Date.now() + 10_000 },
        (error: ServiceError | null, answer) =>
          resolve(
            error
              ? { code: error.code, details: error.details }
              : { code: 0, details: '', message: answer ?? Buffer.alloc(0) },
          ),
      )
    })
  } finally {
    client.close()
  }
}

interface Http2Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly trailers: IncomingHttpHeaders
  readonly body: Buffer
  /** The head was the end of the answer too. */
  readonly isTrailersOnly: boolean
}

/** One request over HTTP/2, with all that comes of it. */
async function askHttp2(
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<Http2Answer> {
  const stream = session.request({ ':method': 'POST', ':path': path, ...headers })
  let trailers: IncomingHttpHeaders = {}
  stream.on('trailers', (received) => {
    trailers = received
  })
  stream.on('error', () => undefined)
  stream.end(body)
  const [head, flags] = (await once(stream, 'response', { signal: AbortSignal.timeout(10_000) })) as [
    IncomingHttpHeaders,
    number,
  ]
  const received = await buffer(stream)
  return {
    status: Number(head[':status']),
    headers: head,
    trailers,
    body: received,
    isTrailersOnly: (flags & 1) === 1,
  }
}

async function withSession<T>(
  service: ServiceUnderAttack,
  body: (session: ClientHttp2Session) => Promise<T>,
): Promise<T> {
  const session = connectHttp2(service.url)
  session.on('error', () => undefined)
  try {
    return await body(session)
  } finally {
    session.destroy()
  }
}

const UNKNOWN = [
  '/sdk.events.v1.EventsService/Nothing',
  '/shared.insights.v1.InsightsService/Nothing',
  '/nowhere.v1.NoService/Nothing',
  '/grpc.health.v1.Nothing/Check',
  '/dashboard.later.v1.LaterService/Get',
] as const

const unknown: readonly Statement[] = [
  {
    title: 'an unknown method or service is status 12 for @grpc/grpc-js',
    check: async (service) => {
      const seen: string[] = []
      for (const path of UNKNOWN) {
        const { code, details } = await statusOf(service, path)
        if (code !== STATUS.unimplemented) seen.push(`${path}: ${code} ${details}`)
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: 'an answer of trailers only ends with its head',
    check: async (service) => {
      const seen: string[] = []
      await withSession(service, async (session) => {
        for (const path of [...UNKNOWN, `/${BATCH_CREATE}`, '/shared.profiles.v1.ProfilesService/List']) {
          const { status, headers, trailers, isTrailersOnly } = await askHttp2(
            session,
            path,
            GRPC,
            EMPTY_FRAME,
          )
          const inHead = headers['grpc-status']
          if (status !== 200) seen.push(`${path}: HTTP ${status}`)
          if (inHead !== undefined && !isTrailersOnly)
            seen.push(`${path}: grpc-status ${inHead} in a head that is not the end`)
          if (inHead === undefined && trailers['grpc-status'] === undefined)
            seen.push(`${path}: no grpc-status`)
          if (inHead !== undefined && trailers['grpc-status'] !== undefined) seen.push(`${path}: two`)
        }
      })
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: 'methods of a later interface are unimplemented in Connect too',
    check: async (service) => {
      for (const path of UNKNOWN.slice(4)) {
        const response = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
        const { code } = (await response.json()) as { readonly code?: string }
        claim(code === 'unimplemented', () => `${path}: ${response.status} ${code}`)
      }
    },
  },
]

const standard: readonly Statement[] = [
  {
    title: 'grpc.health.v1.Health reports SERVING, and NOT_FOUND for an unknown service',
    check: async (service) => {
      const { code, message } = await statusOf(service, '/grpc.health.v1.Health/Check')
      claim(
        code === STATUS.ok && message?.toString('hex') === '0801',
        () => `${code} ${message?.toString('hex')}`,
      )
      const name = Buffer.from('no.such.Service')
      const other = await statusOf(service, '/grpc.health.v1.Health/Check', {
        message: Buffer.concat([Buffer.from([0x0a, name.length]), name]),
      })
      claim(other.code === STATUS.notFound, () => `an unknown service: ${other.code}`)
    },
  },
  ...['v1', 'v1alpha'].map(
    (version): Statement => ({
      title: `server reflection ${version} lists the services`,
      check: async (service) => {
        await withSession(service, async (session) => {
          // list_services = 7, a text.
          const message = Buffer.from([0x3a, 1, 0x2a])
          const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message])
          const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
          const { body, headers, trailers } = await askHttp2(session, path, GRPC, frame)
          claim(
            body.includes('sdk.events.v1.EventsService'),
            () => `grpc-status ${headers['grpc-status'] ?? trailers['grpc-status']}, ${body.length} bytes`,
          )
        })
      },
    }),
  ),
]

const CODES: readonly (readonly [
  what: string,
  path: string,
  options: Parameters<typeof statusOf>[2],
  codes: readonly number[],
])[] = [
  ['no key', `/${BATCH_CREATE}`, {}, [STATUS.unauthenticated]],
  [
    'a wrong key',
    `/${BATCH_CREATE}`,
    { metadata: { 'x-api-key': `pub_${'x'.repeat(24)}` } },
    [STATUS.unauthenticated],
  ],
  ['no token', '/dashboard.customers.v1.CustomersService/GetMe', {}, [STATUS.unauthenticated]],
  [
    'bytes that are no message',
    '/public.auth.v1.AuthService/SignInWithEmail',
    { message: Buffer.from([0x0a, 0xff]) },
    [STATUS.invalid],
  ],
  [
    'a message that breaks a rule',
    '/public.auth.v1.AuthService/RequestMagicLink',
    { message: Buffer.from([0x0a, 1, 0x78]) },
    [STATUS.invalid],
  ],
  [
    'a message of 9 MiB without a key',
    '/public.auth.v1.AuthService/SignInWithEmail',
    { message: Buffer.alloc(9 * 1024 * 1024) },
    [STATUS.exhausted],
  ],
  [
    'a deadline that is over',
    '/public.auth.v1.AuthService/SignInWithEmail',
    { metadata: { 'grpc-timeout': '1n' } },
    [STATUS.deadline, STATUS.invalid],
  ],
]

const codes: readonly Statement[] = CODES.map(([what, path, options, expected]) => ({
  title: `${what} is status ${expected.join(' or ')} of gRPC`,
  check: async (service) => {
    const { code, details } = await statusOf(service, path, options)
    claim(expected.includes(code), () => `${code} ${details}`)
  },
}))

const TIMEOUTS = ['abc', '-1S', '1', 'S', '999999999S', '1.5S', '1 S', '', '00000000S']

const raw: readonly Statement[] = [
  {
    title: 'an invalid gRPC timeout is no failure of the service',
    check: async (service) => {
      const seen: string[] = []
      await withSession(service, async (session) => {
        for (const timeout of TIMEOUTS) {
          const { headers, trailers } = await askHttp2(
            session,
            '/public.auth.v1.AuthService/RequestMagicLink',
            { ...GRPC, 'grpc-timeout': timeout },
            EMPTY_FRAME,
          )
          const status = Number(headers['grpc-status'] ?? trailers['grpc-status'])
          if (![3, 4, 13].includes(status)) seen.push(`${JSON.stringify(timeout)}: ${status}`)
          checkWords({
            headers: { ...headers, ...trailers } as Record<string, string>,
            body: Buffer.alloc(0),
          })
        }
      })
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: 'invalid gRPC frames have a status that is no failure of the service',
    check: async (service) => {
      const seen: string[] = []
      const bodies: Readonly<Record<string, Buffer>> = {
        nothing: Buffer.alloc(0),
        'half a prefix': Buffer.alloc(3),
        'a length of 4 GiB': Buffer.from([0, 0xff, 0xff, 0xff, 0xff]),
        'compressed without a coding': Buffer.from([1, 0, 0, 0, 1, 0]),
        'unknown flags': Buffer.from([0x42, 0, 0, 0, 0]),
        'two messages': Buffer.alloc(10),
      }
      await withSession(service, async (session) => {
        for (const path of [
          `/${BATCH_CREATE}`,
          '/shared.insights.v1.InsightsService/Query',
          '/public.auth.v1.AuthService/SignInWithEmail',
        ])
          for (const [what, body] of Object.entries(bodies)) {
            const { headers, trailers } = await askHttp2(
              session,
              path,
              { ...GRPC, 'x-api-key': service.privateKey },
              body,
            )
            const status = Number(headers['grpc-status'] ?? trailers['grpc-status'])
            if (![3, 8, 12, 13].includes(status) || Number.isNaN(status))
              seen.push(`${path} ${what}: ${status}`)
            const text = decodeURIComponent(String(headers['grpc-message'] ?? trailers['grpc-message'] ?? ''))
            checkWords({ headers: {}, body: Buffer.from(text) })
          }
      })
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
]

/** gRPC as its clients have it. */
export const grpc: Chapter = { name: 'grpc', statements: [...unknown, ...standard, ...codes, ...raw] }
