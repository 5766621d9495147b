import { BATCH_CREATE } from '../../harness/events.ts'
import { parseAnswers } from '../../protocols/raw-connection.ts'
import { openRaw } from '../client.ts'
import { innerWordsOf } from '../refusal.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

/** A method that the edge serves itself, and one that it forwards. */
const SERVED = [BATCH_CREATE, 'shared.activity.v1.ActivityService/GetEventExplorer'] as const

const QUIET_MS = 300
const CLOSE_MS_MAX = 9_000
/** A client that sends no more after so long closes its half, so that nothing can be waited for. */
const PATIENCE_MS = 1_000

/** The outcome of sent bytes: the statuses in order, and whether the connection was closed. */
interface Seen {
  readonly statuses: readonly number[]
  readonly isClosed: boolean
  readonly text: string
}

/** Sends bytes, closes the write half by default, and waits until the peer closes or falls silent. */
export async function provoke(
  service: ServiceUnderAttack,
  bytes: string | Buffer,
  { keepsOpen = false }: { readonly keepsOpen?: boolean } = {},
): Promise<Seen> {
  const connection = await openRaw(service.url, service.attacker)
  await connection.write(bytes)
  const startMs = performance.now()
  const endMs = startMs + CLOSE_MS_MAX
  let quietSinceMs = performance.now()
  let length = -1
  while (!connection.isEnded && performance.now() < endMs) {
    if (connection.received.length !== length) {
      length = connection.received.length
      quietSinceMs = performance.now()
    }
    if (length > 0 && performance.now() - quietSinceMs > QUIET_MS) break
    const isOver = length > 0 || performance.now() - startMs > PATIENCE_MS
    if (!keepsOpen && isOver && !connection.socket.writableEnded) connection.endWriting()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const isClosed = connection.isEnded
  const { received } = connection
  connection.close()
  const { answers } = parseAnswers(received, isClosed)
  return { statuses: answers.map(({ status }) => status), isClosed, text: received.toString('latin1') }
}

function headOf(service: ServiceUnderAttack, method: string): string {
  const key = method === BATCH_CREATE ? service.publicKey : service.privateKey
  return `POST /${method} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-api-key: ${key}\r\n`
}

/** A request that must be refused; the second one in the same bytes must never be answered. */
interface Wrong {
  readonly what: string
  /** The request after the common head, from the headers of the body on. */
  readonly rest: string
}

const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'

const WRONG: readonly Wrong[] = [
  ['a chunked body that is called xchunked', 'transfer-encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a chunked body that is called chunkedx', 'transfer-encoding: chunkedx\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['chunked, identity', 'transfer-encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['identity', 'transfer-encoding: identity\r\ncontent-length: 2\r\n\r\n{}'],
  ['identity, chunked', 'transfer-encoding: identity, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['gzip, chunked', 'transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['chunked twice', 'transfer-encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  [
    'two headers of chunked',
    'transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ],
  ['chunked after a vertical tab', 'transfer-encoding: \x0bchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['chunked in quotes', 'transfer-encoding: "chunked"\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['an empty coding of the transfer', 'transfer-encoding: \r\ncontent-length: 2\r\n\r\n{}'],
  ['a length and chunks', 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['chunks and a length', 'transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk size with a line feed only', `${CHUNKED}2\n{}\r\n0\r\n\r\n`],
  ['chunk data that ends with a line feed only', `${CHUNKED}2\r\n{}\n0\r\n\r\n`],
  ['chunk data that ends with two other bytes', `${CHUNKED}2\r\n{}XX0\r\n\r\n`],
  ['chunk data longer than its size', `${CHUNKED}2\r\n{}{}\r\n0\r\n\r\n`],
  ['a chunk size of 0x2', `${CHUNKED}0x2\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size of +2', `${CHUNKED}+2\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size of -2', `${CHUNKED}-2\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size after a space', `${CHUNKED} 2\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size before a space', `${CHUNKED}2 \r\n{}\r\n0\r\n\r\n`],
  ['a chunk size of 2_', `${CHUNKED}2_\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size that is empty', `${CHUNKED}\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size of two exabytes', `${CHUNKED}1fffffffffffffff\r\n{}`],
  ['a carriage return alone in a chunk line', `${CHUNKED}2\r{}\r\n0\r\n\r\n`],
  ['an extension of a chunk with a line feed', `${CHUNKED}2;a=b\nc\r\n{}\r\n0\r\n\r\n`],
  ['a last chunk with a line feed only', `${CHUNKED}2\r\n{}\r\n0\n\n`],
  ['two lengths that differ', 'content-length: 2\r\ncontent-length: 3\r\n\r\n{}}'],
  ['two lengths in one header', 'content-length: 2, 3\r\n\r\n{}}'],
  ['a length of +2', 'content-length: +2\r\n\r\n{}'],
  ['a length of -2', 'content-length: -2\r\n\r\n{}'],
  ['a length of 2.0', 'content-length: 2.0\r\n\r\n{}'],
  ['a length of 0x2', 'content-length: 0x2\r\n\r\n{}'],
  ['a length of 2e0', 'content-length: 2e0\r\n\r\n{}'],
  ['a length in two words', 'content-length: 2 2\r\n\r\n{}'],
  ['an empty length', 'content-length: \r\n\r\n{}'],
  ['a length of 30 digits', 'content-length: 999999999999999999999999999999\r\n\r\n{}'],
  ['a header on two lines', 'x-folded: a\r\n b\r\ncontent-length: 2\r\n\r\n{}'],
  ['a space before a colon', 'x-spaced : a\r\ncontent-length: 2\r\n\r\n{}'],
  ['a space before the colon of the length', 'content-length : 2\r\n\r\n{}'],
  ['a header that begins with a space', ' x-first: a\r\ncontent-length: 2\r\n\r\n{}'],
  ['a header without a name', ': a\r\ncontent-length: 2\r\n\r\n{}'],
  ['a header without a colon', 'x-nothing\r\ncontent-length: 2\r\n\r\n{}'],
  ['U+0000 in a header', 'x-nul: a\x00b\r\ncontent-length: 2\r\n\r\n{}'],
  ['U+0000 in a name', 'x-n\x00l: a\r\ncontent-length: 2\r\n\r\n{}'],
  ['a carriage return alone in a header', 'x-cr: a\rx-more: b\r\ncontent-length: 2\r\n\r\n{}'],
  ['a line feed alone after a header', 'x-lf: a\nx-more: b\r\ncontent-length: 2\r\n\r\n{}'],
  ['a name in brackets', 'x(y): a\r\ncontent-length: 2\r\n\r\n{}'],
  ['a second host', 'host: example.com\r\ncontent-length: 2\r\n\r\n{}'],
].map(([what = '', rest = '']) => ({ what, rest }))

function refused({ what, rest }: Wrong): Statement {
  return {
    title: `${what}: neither the request nor the one after it is answered with 200, at the edge or behind it`,
    check: async (service) => {
      const seen: string[] = []
      for (const method of SERVED) {
        const follower = `GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n`
        const { statuses, isClosed, text } = await provoke(service, headOf(service, method) + rest + follower)
        if (statuses.some((status) => status < 400)) seen.push(`${method}: ${statuses.join(', ')}`)
        if (statuses.some((status) => status >= 500 && status !== 505 && status !== 501))
          seen.push(`${method}: ${statuses.join(', ')}`)
        if (statuses.length === 0 && !isClosed) seen.push(`${method}: no answer and no end`)
        const words = innerWordsOf(text)
        if (words !== undefined) seen.push(`${method}: the answer contains ${JSON.stringify(words)}`)
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  }
}

/** Request lines: the text between `method` and the headers. */
const LINES: readonly (readonly [what: string, line: string])[] = [
  [
    'an absolute URL of another host',
    'POST http://example.com/shared.profiles.v1.ProfilesService/List HTTP/1.1',
  ],
  ['an absolute URL with a user', 'GET http://a:b@localhost/healthz HTTP/1.1'],
  ['an authority', 'CONNECT 127.0.0.1:22 HTTP/1.1'],
  ['a star', 'OPTIONS * HTTP/1.1'],
  ['a trace', 'TRACE / HTTP/1.1'],
  ['an unknown method', 'BREW /healthz HTTP/1.1'],
  ['a method of 8 KiB', `${'A'.repeat(8192)} /healthz HTTP/1.1`],
  ['a path that climbs', 'GET /../../../../etc/passwd HTTP/1.1'],
  ['a path that climbs in percents', 'GET /%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1'],
  ['a path of assets that climbs', 'GET /assets/..%2f..%2f..%2fpackage.json HTTP/1.1'],
  ['a page of the documentation that climbs', 'GET /docs/..%2f..%2fpackage.json HTTP/1.1'],
  [
    'a page of the documentation that climbs twice over',
    'GET /docs/%2e%2e/%2e%2e/%252e%252e/package.json HTTP/1.1',
  ],
  ['a page of the documentation with a whole path', 'GET /docs//etc/passwd HTTP/1.1'],
  ['a page of the documentation with backslashes', 'GET /docs/..\\..\\package.json HTTP/1.1'],
  ['a path with backslashes', 'GET /assets\\..\\..\\package.json HTTP/1.1'],
  ['U+0000 in a path', 'GET /assets/index%00.html HTTP/1.1'],
  ['half a percent sign', 'GET /assets/%zz HTTP/1.1'],
  ['a query of 60 kB', `GET /?${'a'.repeat(60_000)} HTTP/1.1`],
  ['a path that is a protocol', 'GET //example.com/ HTTP/1.1'],
  ['a line of spaces', 'GET     /healthz     HTTP/1.1'],
  ['a version 1.9', 'GET /healthz HTTP/1.9'],
  ['a version 2.0', 'GET /healthz HTTP/2.0'],
  ['a version without a number', 'GET /healthz HTTP/'],
  ['bytes above 127', 'GET /h\xe4lthz\xff HTTP/1.1'],
  ['a bell', 'GET /\x07 HTTP/1.1'],
]

function oddLine([what, line]: (typeof LINES)[number]): Statement {
  return {
    title: `${what} in a request line is answered with an error or ends the connection, never with a file or a redirect`,
    check: async (service) => {
      const { statuses, isClosed, text } = await provoke(
        service,
        `${line}\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`,
      )
      const isRight =
        statuses.length > 0
          ? statuses.every((status) => status < 500 || status === 501 || status === 505)
          : isClosed
      claim(isRight, () => `${statuses.join(', ')} ${text.slice(0, 200)}`)
      claim(!/root:|"dependencies"|\r\nlocation:/i.test(text), () => text.slice(0, 300))
      const body = text.slice(text.indexOf('\r\n\r\n'))
      // Pages have words of HTML.
      const isPage = statuses[0] === 200 || line.includes('/docs/')
      const words = isPage ? undefined : innerWordsOf(body)
      claim(words === undefined, () => `says ${JSON.stringify(words)}: ${text.slice(0, 200)}`)
    },
  }
}

const others: readonly Statement[] = [
  {
    title: 'an announced body of ten gigabytes is refused before it arrives, at the edge and behind it',
    check: async (service) => {
      const seen: string[] = []
      for (const method of [...SERVED, 'public.auth.v1.AuthService/SignInWithEmail', 'mcp']) {
        const startMs = performance.now()
        const head = `${headOf(service, method)}content-length: 10000000000\r\n\r\n{`
        const { statuses, isClosed } = await provoke(service, head, { keepsOpen: true })
        if (!(statuses[0] !== undefined && statuses[0] >= 400) && !isClosed)
          seen.push(
            `${method}: ${statuses.join(', ') || 'nothing'} in ${Math.round(performance.now() - startMs)} ms`,
          )
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  ...[8, 32, 100, 1024].map(
    (kib): Statement => ({
      title: `a key of ${kib} KiB is refused without texts of a library`,
      check: async (service) => {
        const seen: string[] = []
        for (const method of SERVED) {
          const head = `POST /${method} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-api-key: ${'k'.repeat(kib * 1024)}\r\ncontent-length: 2\r\n\r\n{}`
          const { statuses, isClosed, text } = await provoke(service, head)
          if (statuses.some((status) => ![400, 401, 413, 431].includes(status)))
            seen.push(`${method}: ${statuses.join()}`)
          if (statuses.length === 0 && !isClosed) seen.push(`${method}: nothing`)
          const words = innerWordsOf(text)
          if (words !== undefined) seen.push(`${method}: the answer contains ${JSON.stringify(words)}`)
        }
        claim(seen.length === 0, () => seen.join('; '))
      },
    }),
  ),
  {
    title: 'a request of HTTP/1.1 without a host is not answered with 200',
    check: async (service) => {
      const { statuses } = await provoke(service, 'GET /healthz HTTP/1.1\r\n\r\n')
      claim(!statuses.includes(200), () => statuses.join())
    },
  },
  {
    title: 'an upgrade to h2c or to a web socket is refused',
    check: async (service) => {
      for (const to of ['h2c', 'websocket']) {
        const { statuses, text } = await provoke(
          service,
          `GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: ${to}\r\nhttp2-settings: AAMAAABkAAQAAP__\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n\r\n`,
        )
        claim(!text.includes(' 101 '), () => `${to}: ${statuses.join()} ${text.slice(0, 100)}`)
      }
    },
  },
  {
    title: 'names in a connection header remove neither a credential nor a forwarding header from a request',
    check: async (service) => {
      for (const method of SERVED) {
        const { statuses } = await provoke(
          service,
          `${headOf(service, method)}connection: x-api-key, content-type, x-forwarded-for, close\r\ncontent-length: 2\r\n\r\n{}`,
          { keepsOpen: true },
        )
        claim([200, 400, 401, 415].includes(statuses[0] ?? 0), () => `${method}: ${statuses.join()}`)
      }
    },
  },
]

/** Bytes of HTTP/1.1 that two readers may understand in two ways. */
export const framing: Chapter = {
  name: 'framing',
  statements: [...WRONG.map(refused), ...LINES.map(oddLine), ...others],
}
