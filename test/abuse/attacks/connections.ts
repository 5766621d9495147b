import { setTimeout as delay } from 'node:timers/promises'
import { BATCH_CREATE } from '../../harness/events.ts'
import type { RawConnection } from '../../protocols/raw-connection.ts'
import { openRaw } from '../client.ts'
import { type Attack, type Endings, onLanes } from '../statement.ts'
import type { Setup, Target } from '../target.ts'
import { askAndNote, noteRaw } from './endings.ts'
import { openMany } from './heavy-bodies.ts'

const LIST = 'shared.profiles.v1.ProfilesService/List'
const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'

/** Connections that stay, with what is sent at first, and what again and again. */
function holding(
  title: string,
  options: {
    readonly count: number
    readonly setup?: Setup
    readonly everyMs?: number
    first?(service: Target): string | Buffer
    again?(turn: number): string | Buffer
    readonly reads?: boolean
    readonly halfCloses?: boolean
  },
): Attack {
  return {
    title,
    setup: options.setup ?? 'proxied',
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      const connections = await openMany(service, options.count)
      endings.set('not connected', options.count - connections.length)
      if (endings.get('not connected') === 0) endings.delete('not connected')
      if (options.reads === false) for (const { socket } of connections) socket.pause()
      const first = options.first?.(service)
      if (first !== undefined) for (const connection of connections) void connection.write(first)
      if (options.halfCloses) for (const connection of connections) connection.endWriting()
      for (let turn = 0; performance.now() < untilMs; turn++) {
        await delay(options.everyMs ?? 500)
        const more = options.again?.(turn)
        if (more !== undefined) for (const connection of connections) void connection.write(more)
      }
      for (const connection of connections) {
        noteRaw(endings, connection)
        connection.close()
      }
      return endings
    },
    allowed: /^not connected$/,
  }
}

function calling(method: string, key: string, body: string, more = ''): string {
  return `POST /${method} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-api-key: ${key}\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'

/** Many unauthenticated calls at once, on connections that are opened anew. */
function crowding(title: string, lanes: number, path: string, setup: Setup = 'proxied'): Attack {
  return {
    title,
    setup,
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      await onLanes(lanes, untilMs, async (lane) => {
        await askAndNote(endings, service.url, {
          path,
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `203.0.${lane % 256}.${Math.floor(lane / 256)}`,
          },
          body: JSON.stringify({ email: `crowd-${lane}@example.org`, password: 'wrong' }),
          from: service.attacker,
        })
        await delay(20)
      })
      return endings
    },
    // A client that waits for the end of the attack has no answer yet.
    allowed: /^no answer$/,
  }
}

/** Opens and closes connections as fast as it goes. */
function churning(title: string, write: string | Buffer, setup: Setup = 'proxied'): Attack {
  return {
    title,
    setup,
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      await onLanes(32, untilMs, async () => {
        let connection: RawConnection | undefined
        try {
          connection = await openRaw(service.url, service.attacker)
          await connection.write(write)
          await delay(5)
          noteRaw(endings, connection)
        } catch {
          endings.set('closed', (endings.get('closed') ?? 0) + 1)
        }
        connection?.socket.resetAndDestroy()
      })
      return endings
    },
  }
}

/** Connections of HTTP/1.1 that hold on to something. */
export const connections: readonly Attack[] = [
  holding('800 idle connections', { count: 800 }),
  holding('2,000 idle connections where 1,024 descriptors are all', {
    count: 2000,
    setup: 'few-descriptors',
  }),
  holding('2,000 connections with half a head where 1,024 descriptors are all', {
    count: 2000,
    setup: 'few-descriptors',
    first: () => 'GET /healthz HTTP/1.1\r\nhost: ',
  }),
  holding('600 heads that come byte by byte', {
    count: 600,
    first: () => `POST /${BATCH_CREATE} HTTP/1.1\r\n`,
    again: (turn) => `x-${turn}: 1\r\n`,
  }),
  holding('600 request lines that come byte by byte', { count: 600, first: () => 'P', again: () => 'O' }),
  holding('600 connections that never go on after a PROXY signature', {
    count: 600,
    first: () => Buffer.from('0d0a0d0a000d0a515549540a21', 'hex'),
  }),
  holding('600 connections with half an HTTP/2 preface', {
    count: 600,
    first: () => 'PRI * HTTP/2.0\r\n\r\nS',
  }),
  holding('600 connections of CRLF', { count: 600, first: () => '\r\n', again: () => '\r\n' }),
  holding('300 half-open connections that asked', {
    count: 300,
    first: ({ other }) => calling(EXPLORER, other.privateKey, '{"pageSize":1000}'),
    halfCloses: true,
  }),
  holding('300 clients that read no answer', {
    count: 300,
    first: ({ other }) => calling(EXPLORER, other.privateKey, '{"pageSize":1000}'),
    reads: false,
  }),
  holding('20 clients that pipeline ten thousand requests and read nothing', {
    count: 20,
    first: () => HEALTH.repeat(10_000),
    reads: false,
  }),
  holding('20 clients that pipeline ten thousand forwarded calls', {
    count: 20,
    first: () => calling(LIST, 'prv_wrong', '{}').repeat(2_000),
  }),
  holding('500 bodies in chunks of one byte', {
    count: 500,
    first: ({ publicKey }) =>
      `POST /${BATCH_CREATE} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-api-key: ${publicKey}\r\ntransfer-encoding: chunked\r\n\r\n`,
    again: () => '1\r\n \r\n',
    everyMs: 100,
  }),
  holding('300 bodies in chunks for a query, without a key', {
    count: 300,
    first: () =>
      'POST /shared.insights.v1.InsightsService/Query HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    again: () => '1\r\n \r\n',
  }),
  holding('300 clients that expect 100-continue and never continue', {
    count: 300,
    first: () =>
      'POST /public.auth.v1.AuthService/SignInWithEmail HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 1000\r\n\r\n',
  }),
  holding('300 listeners of the tools of agents', {
    count: 300,
    first: ({ other }) =>
      `GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nx-api-key: ${other.privateKey}\r\n\r\n`,
  }),
  crowding('800 sign-ins at once from 800 networks', 800, '/public.auth.v1.AuthService/SignInWithEmail'),
  crowding(
    '800 sign-ins at once from one address',
    800,
    '/public.auth.v1.AuthService/SignInWithEmail',
    'direct',
  ),
  crowding('800 queries without a key at once', 800, '/shared.insights.v1.InsightsService/Query'),
  crowding('400 sessions of the console at once', 400, '/console/session/RefreshSession'),
  crowding('400 requests for sign-in links at once', 400, '/public.auth.v1.AuthService/RequestMagicLink'),
  crowding(
    '400 unknown shared dashboards at once',
    400,
    '/public.dashboards.v1.SharedDashboardsService/Query',
  ),
  crowding('400 unknown paths at once', 400, '/nowhere.v1.Service/Method'),
  crowding('400 tools of agents without a key at once', 400, '/mcp'),
  churning('32 lanes that open connections and reset them', ''),
  churning('32 lanes that send a request and reset at once', calling(LIST, 'prv_wrong', '{}')),
  churning('32 lanes that send a TLS hello', Buffer.from('1603010200010001fc0303', 'hex')),
]
