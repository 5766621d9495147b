import { encodeFrame, FLAG, FRAME } from '../../protocols/http2-frames.ts'
import { ask } from '../client.ts'
import { encodeFields, headFrame, RawHttp2 } from '../raw-http2.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

const ANSWER_MS_MAX = 6_000

type Fields = readonly (readonly [string, string])[]

/** The state of the service, which is always 200. */
const PLAIN: Fields = [
  [':method', 'GET'],
  [':scheme', 'http'],
  [':path', '/healthz'],
  [':authority', 'localhost'],
]

const CALL: Fields = [
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', '/shared.campaigns.v1.CampaignService/BatchGet'],
  [':authority', 'localhost'],
  ['content-type', 'application/json'],
]

function replace(fields: Fields, name: string, value: string): Fields {
  return fields.map((field) => (field[0] === name ? [name, value] : field))
}

/** The outcome of a stream: its status, `reset`, `closed`, or `nothing`. */
async function provoke(service: ServiceUnderAttack, fields: Fields, body?: Buffer): Promise<string> {
  const connection = await RawHttp2.open(service.url, service.attacker)
  const flags = FLAG.endHeaders | (body ? 0 : FLAG.endStream)
  await connection.write(headFrame(1, encodeFields(fields), flags))
  if (body)
    await connection.write(encodeFrame({ type: FRAME.data, flags: FLAG.endStream, stream: 1, payload: body }))
  const endMs = performance.now() + ANSWER_MS_MAX
  const seen = (): string | undefined => {
    if (connection.statuses.has(1)) return String(connection.statuses.get(1))
    if (connection.frames.has(FRAME.rstStream)) return 'reset'
    return connection.isClosed || connection.frames.has(FRAME.goAway) ? 'closed' : undefined
  }
  while (seen() === undefined && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const end = seen() ?? 'nothing'
  connection.close()
  return end
}

const HEADS: readonly (readonly [what: string, fields: Fields])[] = [
  ['a name in capitals', [...PLAIN, ['X-Api-Key', '1']]],
  ['a path of two lines', replace(PLAIN, ':path', '/healthz HTTP/1.1\r\nhost: x\r\n\r\nGET /')],
  ['a path with a space', replace(PLAIN, ':path', '/healthz HTTP/1.1')],
  ['a path without a slash', replace(PLAIN, ':path', 'healthz')],
  ['an empty path', replace(PLAIN, ':path', '')],
  ['a whole address as the path', replace(PLAIN, ':path', 'http://example.com/healthz')],
  ['a method of two lines', replace(PLAIN, ':method', 'GET /x HTTP/1.1\r\n')],
  ['an authority of two lines', replace(PLAIN, ':authority', 'localhost\r\nx-evil: 1')],
  ['no path', PLAIN.filter(([name]) => name !== ':path')],
  ['no method', PLAIN.filter(([name]) => name !== ':method')],
  ['two paths', [...PLAIN, [':path', '/']]],
  ['a pseudo header after others', [['x-a', '1'], ...PLAIN]],
  ['a pseudo header of an answer', [...PLAIN, [':status', '200']]],
  ['an unknown pseudo header', [...PLAIN, [':evil', '1']]],
  ['chunks', [...PLAIN, ['transfer-encoding', 'chunked']]],
  ['a connection header', [...PLAIN, ['connection', 'close']]],
  ['an upgrade', [...PLAIN, ['upgrade', 'h2c']]],
]

/** Fields that are no field. A server may leave them out, but nothing in them is a field. */
const HIDDEN: readonly (readonly [what: string, hide: (key: string) => readonly [string, string]])[] = [
  ['behind a line break in a value', (key) => ['x-a', `b\r\nx-api-key: ${key}`]],
  ['behind a line feed in a value', (key) => ['x-a', `b\nx-api-key: ${key}`]],
  ['behind U+0000 in a value', (key) => ['x-a', `b\0x-api-key: ${key}`]],
  ['behind a line break in a name', (key) => ['x-a: b\r\nx-api-key', key]],
  ['in a name with a colon', (key) => [`x-api-key: ${key}`, '1']],
  ['in a name with a space', (key) => ['x-api-key ', key]],
  ['in a name with an underscore', (key) => ['x_api_key', key]],
]

const hidden: readonly Statement[] = HIDDEN.map(([what, hide]) => ({
  title: `a key ${what} of HTTP/2 is no key`,
  check: async (service) => {
    const end = await provoke(service, [...CALL, hide(service.privateKey)], Buffer.from('{}'))
    claim(/^(reset|closed|4\d\d)$/.test(end), () => `ended with ${end}`)
  },
}))

const heads: readonly Statement[] = HEADS.map(([what, fields]) => ({
  title: `${what} in a head of HTTP/2 is refused`,
  check: async (service) => {
    const end = await provoke(service, fields)
    claim(/^(reset|closed|4\d\d)$/.test(end), () => `ended with ${end}`)
    const { status } = await ask(service.url, { path: '/healthz', method: 'GET' })
    claim(status === 200, () => `afterwards the service answers ${status}`)
  },
}))

const BODIES: readonly (readonly [what: string, more: Fields, body: string])[] = [
  ['longer than its length', [['content-length', '2']], '{}{"a":1}'],
  ['shorter than its length', [['content-length', '200']], '{}'],
  [
    'with two lengths',
    [
      ['content-length', '2'],
      ['content-length', '3'],
    ],
    '{}',
  ],
  ['with a length that is no number', [['content-length', 'two']], '{}'],
  ['with a length of -1', [['content-length', '-1']], '{}'],
]

const bodies: readonly Statement[] = BODIES.map(([what, more, body]) => ({
  title: `a body of HTTP/2 ${what} is refused`,
  check: async (service) => {
    const key: Fields = [['x-api-key', service.privateKey]]
    const right = await provoke(service, [...CALL, ...key], Buffer.from('{}'))
    claim(right === '200', () => `a right call ends with ${right}`)
    const end = await provoke(service, [...CALL, ...key, ...more], Buffer.from(body))
    claim(/^(reset|closed|4\d\d)$/.test(end), () => `ended with ${end}`)
  },
}))

const TIMEOUTS = ['-1', '0', 'abc', '1.5', '1e9', '99999999999999999999', ' ', '+5', '0x10']

const timeouts: Statement = {
  title: 'an invalid or expired Connect timeout is no failure of the service',
  check: async (service) => {
    const seen: string[] = []
    for (const timeout of TIMEOUTS) {
      const { status, body } = await ask(service.url, {
        path: '/shared.campaigns.v1.CampaignService/BatchGet',
        headers: {
          'content-type': 'application/json',
          'connect-timeout-ms': timeout,
          'x-api-key': service.privateKey,
        },
        body: '{}',
      })
      if (![200, 400, 504].includes(status))
        seen.push(`${timeout}: ${status} ${body.toString().slice(0, 100)}`)
    }
    claim(seen.length === 0, () => seen.join('; '))
  },
}

/** Heads of HTTP/2 that would be two requests where they are written as HTTP/1.1. */
export const http2Heads: Chapter = { name: 'http2', statements: [...hidden, ...heads, ...bodies, timeouts] }
