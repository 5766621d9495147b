import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Front } from '../../src/edge/front/front.ts'
import { writeProxyHeader } from '../harness/proxy-header.ts'
import { PRIVATE_KEY, TestService } from '../harness/service.ts'
import { findSystemTool, hasSystemTool } from '../harness/system-tool.ts'
import { freePort, waitFor } from '../harness/wait.ts'
import { type Certificate, ChildServer, makeCertificate } from './child-server.ts'
import { ALL_WELL, callAll } from './first-calls.ts'
import { encodeFrame, encodeHeaders, FLAG, FRAME, OPENING } from './http2-frames.ts'
import { request, send } from './raw-connection.ts'
import { TlsService } from './tls-service.ts'

const hasOpenssl = hasSystemTool('openssl', 'openssl')
const hasProxies = hasOpenssl && hasSystemTool('haproxy', 'haproxy') && hasSystemTool('nginx', 'nginx-light')

const CLIENT = '203.0.113.7'
const FORGED = '198.51.100.66'
const SITE = 'https://shop.example'
const EXPLORER = '/shared.activity.v1.ActivityService/GetEventExplorer'
const EXPLORE = `POST ${EXPLORER}`
const PRIVATE = { 'content-type': 'application/json', 'x-api-key': PRIVATE_KEY }

/** Headers that count when a trusted proxy sends them. */
const CLAIMS = Object.fromEntries(
  [
    'x-forwarded-for',
    'cf-connecting-ip',
    'true-client-ip',
    'cf-ipcountry',
    'cf-bot-score',
    'cf-verified-bot',
    'cloudfront-viewer-country',
    'x-vercel-ip-country',
    'x-appengine-country',
  ].map((name) => [name, FORGED]),
)

let folder: string
let certificate: Certificate

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-proxies-'))
  if (hasOpenssl) certificate = makeCertificate(folder)
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The recipes of docs/proxies.md, in their order. */
const RECIPES = [
  ...readFileSync('docs/proxies.md', 'utf8').matchAll(/^```(haproxy|nginx)\n([\s\S]*?)^```$/gm),
].map(([, kind = '', text = '']) => ({ kind, text }))

/** A recipe of the documentation; only addresses and the files of the certificate are others. */
function recipe(kind: string, mark: string, replacements: readonly (readonly [string, string])[]): string {
  const [found, ...others] = RECIPES.filter((block) => block.kind === kind && block.text.includes(mark))
  if (!found || others.length > 0)
    throw new Error(`docs/proxies.md has not one block of ${kind} with ${mark}`)
  return replacements.reduce((text, [documented, actual]) => {
    if (!text.includes(documented)) throw new Error(`the recipe for ${kind} has no ${documented}`)
    return text.replaceAll(documented, actual)
  }, found.text)
}

interface Proxy {
  readonly url: string
  readonly server: ChildServer
}

async function startHaproxy(
  service: Pick<TestService, 'url'>,
  mode: 'http' | 'tcp' = 'http',
): Promise<Proxy> {
  const port = await freePort()
  const pemPath = join(folder, 'haproxy.pem')
  writeFileSync(pemPath, certificate.pem + readFileSync(certificate.keyPath, 'utf8'))
  const configPath = join(folder, `haproxy-${port}.cfg`)
  const text = recipe('haproxy', `mode ${mode}`, [
    ['10.0.0.5:3000', new URL(service.url).host],
    ...(mode === 'http'
      ? ([
          [':443', `127.0.0.1:${port}`],
          ['/etc/haproxy/site.pem', pemPath],
        ] as const)
      : ([['bind :3000', `bind 127.0.0.1:${port}`]] as const)),
  ])
  writeFileSync(
    configPath,
    `defaults\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n${text}`,
  )
  const server = await ChildServer.start(findSystemTool('haproxy') ?? '', ['-db', '-f', configPath], port)
  return { url: mode === 'http' ? `https://localhost:${port}` : `http://localhost:${port}`, server }
}

async function startNginx(service: Pick<TestService, 'url'>): Promise<Proxy> {
  const port = await freePort()
  const home = join(folder, `nginx-${port}`)
  mkdirSync(home)
  const configPath = join(home, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    configPath,
    `daemon off;
worker_processes 1;
pid ${home}/pid;
error_log stderr error;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
  ${recipe('nginx', 'server', [
    ['10.0.0.5:3000', new URL(service.url).host],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['/etc/nginx/site.pem', certificate.certPath],
    ['/etc/nginx/site.key', certificate.keyPath],
  ])}
}
`,
  )
  const server = await ChildServer.start(
    findSystemTool('nginx') ?? '',
    ['-p', home, '-e', 'stderr', '-c', configPath],
    port,
  )
  return { url: `https://localhost:${port}`, server }
}

const THROUGH_PROXY = [
  'Connect JSON over HTTP/1.1',
  'Connect JSON over HTTP/2',
  'Connect proto over HTTP/2',
  'gRPC-Web over HTTP/1.1',
  'gRPC-Web over HTTP/2',
  'gRPC over HTTP/2',
  'gRPC of @grpc/grpc-js over HTTP/2',
]

describe.skipIf(!hasProxies)('a service with one port for HTTP/1.1 and HTTP/2', () => {
  let service: TestService

  beforeAll(async () => {
    service = await TestService.start()
  })

  afterAll(async () => {
    await service.destroy()
  })

  describe.each([
    ['HAProxy', async () => await startHaproxy(service)],
    ['HAProxy in TCP mode', async () => await startHaproxy(service, 'tcp')],
    ['nginx', async () => await startNginx(service)],
  ])('behind %s as it is documented', (_, start) => {
    let proxy: Awaited<ReturnType<typeof start>>

    beforeAll(async () => {
      proxy = await start()
    })

    afterAll(async () => {
      await proxy.server.stop()
    })

    test.each(THROUGH_PROXY)('%s works', async (title) => {
      const trusted = proxy.url.startsWith('https') ? certificate.pem : undefined
      expect(await callAll(title, proxy.url, trusted)).toEqual(ALL_WELL)
    })
  })

  test('every documented recipe is tested', () => {
    expect(RECIPES.map(({ kind }) => kind)).toEqual(['haproxy', 'haproxy', 'nginx'])
  })

  test.each([
    ['HAProxy', startHaproxy],
    ['nginx', startNginx],
  ])('a page may read what %s answers while the service is away', async (_, start) => {
    const { url, server } = await start({ url: `http://127.0.0.1:${await freePort()}` })
    const { statusCode, headers } = await postThroughTls(`${url}/mixpanel/track/`, { origin: SITE })
    await server.stop()
    expect(statusCode).toBe(503)
    expect(headers).toMatchObject({
      'access-control-allow-origin': SITE,
      'access-control-allow-credentials': 'true',
    })
  })

  test('a PROXY header without a client address is accepted', async () => {
    const connection = await send(
      service.url,
      Buffer.concat([writeProxyHeader(undefined), request('GET /healthz', {})]),
    )
    expect(await connection.answer()).toMatchObject({ status: 200 })
    connection.close()
  })

  test('a second PROXY header is refused', async () => {
    const header = writeProxyHeader(CLIENT)
    const connection = await send(service.url, Buffer.concat([header, header, request('GET /healthz', {})]))
    expect(await connection.untilClosed()).toEqual([])
  })
})

/** The answer to an empty object, without its body. */
async function postThroughTls(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const outgoing = requestHttps(url, { method: 'POST', headers, ca: certificate.pem, agent: false }).end('{}')
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return answer.resume()
}

/** A stand-in for the query process that keeps the headers of what is forwarded to it. */
async function startEcho(): Promise<{
  readonly server: Server
  readonly url: string
  last(): IncomingHttpHeaders
  /** The clients of all that was forwarded. */
  all(): readonly string[]
}> {
  let last: IncomingHttpHeaders = {}
  const all: string[] = []
  const server = createServer((incoming, response) => {
    last = incoming.headers
    all.push(String(last['x-forwarded-for']))
    incoming.resume()
    incoming.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}`, last: () => last, all: () => all }
}

describe.each(['on', 'off'])('the address of the client with SERVICE_HTTP2=%s', (http2) => {
  let service: TestService
  let echo: Awaited<ReturnType<typeof startEcho>>

  beforeAll(async () => {
    echo = await startEcho()
    service = await TestService.start({ SERVICE_HTTP2: http2, SERVICE_QUERY_URL: echo.url })
  })

  afterAll(async () => {
    await service.destroy()
    echo.server.closeAllConnections()
    echo.server.close()
  })

  test.each([
    ['the peer without a PROXY header', undefined, {}, '127.0.0.1'],
    ['the one of a PROXY header', CLIENT, {}, CLIENT],
    ['the one of a PROXY header in IPv6', '2001:db8::7', {}, '2001:db8:0:0:0:0:0:7'],
    [
      'appended to an existing X-Forwarded-For',
      CLIENT,
      { 'x-forwarded-for': '198.51.100.9' },
      `198.51.100.9, ${CLIENT}`,
    ],
  ])('is %s', async (_, address, headers, seen) => {
    const start = address === undefined ? Buffer.alloc(0) : writeProxyHeader(address)
    const connection = await send(
      service.url,
      Buffer.concat([start, request(EXPLORE, { ...PRIVATE, ...headers }, '{}')]),
    )
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{}' })
    connection.close()
    const forwarded = canonical(echo.last()['x-forwarded-for'])
    expect(forwarded).toBe(canonical(seen))
  })

  test.each([
    ['after the answer to the first', false, [] as string[]],
    ['after the answer to the first, which comes at once', false, ['GET /healthz']],
    ['together with the first', true, []],
    ['together with a first that is answered at once', true, ['GET /healthz']],
    [
      'together with a first that is refused at once',
      true,
      ['DELETE /sdk.events.v1.EventsService/BatchCreate'],
    ],
  ])('ignores a PROXY header before a later request: %s', async (_, isTogether, first) => {
    const [line = EXPLORE] = first
    const opening = Buffer.concat([writeProxyHeader(CLIENT), request(line, PRIVATE, '{}')])
    const forged = Buffer.concat([writeProxyHeader(FORGED), request(EXPLORE, PRIVATE, '{}')])
    const connection = await send(service.url, isTogether ? Buffer.concat([opening, forged]) : opening)
    if (!isTogether) {
      await connection.answer()
      await connection.write(forged)
    }
    const answers = await connection.untilClosed()
    expect(answers.slice(1).filter(({ status }) => status < 400)).toEqual([])
    expect(echo.all().join()).not.toContain(FORGED)
  })

  describe.skipIf(!hasProxies)('behind', () => {
    test.each([
      ['HAProxy', async () => await startHaproxy(service), /^127\.0\.0\.1$/],
      ['nginx', async () => await startNginx(service), /^127\.0\.0\.1, (::ffff:)?127\.0\.0\.1$/],
    ])('%s as documented, ignores the claims of the client', async (_, start, seen) => {
      const proxy = await start()
      const { statusCode } = await postThroughTls(`${proxy.url}${EXPLORER}`, { ...PRIVATE, ...CLAIMS })
      await proxy.server.stop()
      expect(statusCode).toBe(200)
      const forwarded = echo.last()
      expect(forwarded['x-forwarded-for']).toMatch(seen)
      expect(
        Object.keys(CLAIMS).filter((name) => JSON.stringify(forwarded[name] ?? '').includes(FORGED)),
      ).toEqual([])
    })
  })
})

/** Groups of IPv6 addresses without leading zeros, however they are written. */
function canonical(text: unknown): string {
  return String(text).replaceAll(/\b0{1,3}(?=[0-9a-f])/g, '')
}

describe.each(['on', 'off'])('with SERVICE_TRUSTED_PROXIES=none and SERVICE_HTTP2=%s', (http2) => {
  test('a PROXY header is refused or not believed, and plain connections work', async () => {
    const echo = await startEcho()
    const service = await TestService.start({
      SERVICE_TRUSTED_PROXIES: 'none',
      SERVICE_HTTP2: http2,
      SERVICE_QUERY_URL: echo.url,
    })
    const forged = await send(
      service.url,
      Buffer.concat([writeProxyHeader(CLIENT), request(EXPLORE, { ...PRIVATE, connection: 'close' }, '{}')]),
    )
    const forgedAnswers = await forged.untilClosed()
    expect(forgedAnswers).toHaveLength(http2 === 'on' ? 0 : 1)
    expect(String(echo.last()['x-forwarded-for'])).not.toContain(CLIENT)
    const plain = await send(service.url, request(EXPLORE, PRIVATE, '{}'))
    expect(await plain.answer()).toMatchObject({ status: 200 })
    plain.close()
    await service.destroy()
    echo.server.closeAllConnections()
    echo.server.close()
  })
})

describe.skipIf(!hasOpenssl)('a service that terminates TLS', () => {
  async function negotiate(port: number, offered: readonly string[]): Promise<string | false | null> {
    const socket = connectTls({
      host: '127.0.0.1',
      port,
      ca: certificate.pem,
      servername: 'localhost',
      ALPNProtocols: [...offered],
    })
    const chosen = await new Promise<string | false | null>((resolve, reject) => {
      socket.once('secureConnect', () => resolve(socket.alpnProtocol))
      socket.once('error', reject)
    })
    socket.destroy()
    return chosen
  }

  test('chooses the protocol by ALPN and serves both versions of HTTP', async () => {
    const port = await freePort()
    const service = await startBehindTls(port, {})
    expect(await negotiate(port, ['h2', 'http/1.1'])).toBe('h2')
    expect(await negotiate(port, ['http/1.1'])).toBe('http/1.1')
    const url = `https://localhost:${port}`
    expect(await callAll('Connect JSON over HTTP/1.1', url, certificate.pem)).toEqual(ALL_WELL)
    expect(await callAll('Connect JSON over HTTP/2', url, certificate.pem)).toEqual(ALL_WELL)
    expect(await callAll('gRPC of @grpc/grpc-js over HTTP/2', url, certificate.pem)).toEqual(ALL_WELL)
    const plain = await send(`http://127.0.0.1:${port}`, request('GET /healthz', {}))
    expect(await plain.untilClosed()).toEqual([])
    await service.destroy()
  })

  test('serves HTTP/1.1 only with SERVICE_HTTP2=off', async () => {
    const port = await freePort()
    const service = await startBehindTls(port, { SERVICE_HTTP2: 'off' })
    expect(await negotiate(port, ['h2', 'http/1.1'])).not.toBe('h2')
    expect(await callAll('Connect JSON over HTTP/1.1', `https://localhost:${port}`, certificate.pem)).toEqual(
      ALL_WELL,
    )
    await service.destroy()
  })

  async function startBehindTls(port: number, extra: Readonly<Record<string, string>>): Promise<TlsService> {
    return await TlsService.start(port, {
      SERVICE_TLS_CERT: certificate.certPath,
      SERVICE_TLS_KEY: certificate.keyPath,
      ...extra,
    })
  }
})

describe('a service with a separate port for HTTP/2', () => {
  test('serves HTTP/1.1 on the one and HTTP/2 on the other, and neither on the wrong one', async () => {
    const http2Port = await freePort()
    const service = await TestService.start({ SERVICE_HTTP2: String(http2Port) })
    const http2Url = `http://127.0.0.1:${http2Port}`
    expect(await callAll('Connect JSON over HTTP/1.1', service.url)).toEqual(ALL_WELL)
    expect(await callAll('Connect JSON over HTTP/2', http2Url)).toEqual(ALL_WELL)
    expect(await callAll('gRPC of @grpc/grpc-js over HTTP/2', http2Url)).toEqual(ALL_WELL)
    const wrong = await send(http2Url, request('GET /healthz', {}))
    expect(await wrong.untilClosed()).toEqual([])
    const alsoWrong = await send(service.url, OPENING)
    alsoWrong.endWriting()
    const answers = await alsoWrong.untilClosed()
    expect(answers.filter(({ status }) => status < 400)).toEqual([])
    await service.destroy()
  })
})

describe('HTTP/2 behind a PROXY header', () => {
  test('the address reaches the query process', async () => {
    const echo = await startEchoHttp2()
    const service = await TestService.start({ SERVICE_QUERY_URL: echo.url })
    const connection = await send(
      service.url,
      Buffer.concat([writeProxyHeader(CLIENT), OPENING, streamOf(EXPLORER)]),
    )
    const forwarded = await waitFor('the forwarded headers', () => echo.last()['x-forwarded-for'])
    expect(forwarded).toBe(CLIENT)
    connection.close()
    await service.destroy()
    echo.close()
  })
})

/** A stream with a whole request, and no body. */
function streamOf(path: string): Buffer {
  const payload = encodeHeaders({
    ':method': 'POST',
    ':path': path,
    ':scheme': 'http',
    ':authority': 'localhost',
    ...PRIVATE,
  })
  return encodeFrame({ type: FRAME.headers, flags: FLAG.endHeaders | FLAG.endStream, stream: 1, payload })
}

/** As {@link startEcho}, for both versions of HTTP on one port. */
async function startEchoHttp2(): Promise<{
  readonly url: string
  last(): IncomingHttpHeaders
  close(): void
}> {
  let last: IncomingHttpHeaders = {}
  const http2 = createHttp2Server((incoming, response) => {
    last = incoming.headers
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{}')
  })
  const http1 = createServer((_, response) => response.end('{}'))
  const front = new Front({
    http1: ({ socket }) => {
      http1.emit('connection', socket)
      socket.resume()
    },
    http2: ({ socket }) => http2.emit('connection', socket),
    isTrustedPeer: () => false,
  })
  const port = await front.listen('127.0.0.1', 0)
  return { url: `http://127.0.0.1:${port}`, last: () => last, close: () => front.close() }
}
