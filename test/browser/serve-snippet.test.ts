import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSdkScripts } from '../../src/query/sdk-script.ts'
import { TestService } from '../harness/service.ts'
import { readBuilt, readSnippet } from './snippet-file.ts'

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service.destroy()
})

interface Got {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

async function getScript(
  headers: Record<string, string> = {},
  method = 'GET',
  path = '/sdk.js',
): Promise<Got> {
  return await new Promise((resolve, reject) => {
    const request = get(service.url + path, { headers, method }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) })
    })
    request.on('error', reject)
  })
}

test.each(['gzip', 'br'])('the snippet with %s is smaller than 3 kB', async (coding) => {
  const { headers, body } = await getScript({ 'accept-encoding': coding })
  expect(headers['content-encoding']).toBe(coding)
  expect(body.length).toBeLessThan(3000)
})

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['identity', undefined, (body: Buffer) => body],
])('a browser that takes %s gets it so', async (accept, coding, decompress) => {
  const { status, headers, body } = await getScript({
    'accept-encoding': accept,
    origin: 'https://a.example',
  })
  expect({ status, coding: headers['content-encoding'] }).toEqual({ status: 200, coding })
  expect(decompress(body).toString()).toBe(readSnippet())
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  })
})

test.each([
  ['errors', 1000],
  ['file-downloads', 1000],
  ['form-submits', 1000],
  ['outbound-links', 1000],
  ['scroll-depth', 1000],
  ['web-vitals', 4000],
])('the module %s is served beside the snippet in less than %i bytes', async (name, bytesMax) => {
  const file = `sdk-${name}.js`
  const { status, headers, body } = await getScript({ 'accept-encoding': 'gzip' }, 'GET', `/${file}`)
  expect({ status, text: gunzipSync(body).toString() }).toEqual({ status: 200, text: readBuilt(file) })
  expect(body.length).toBeLessThan(bytesMax)
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  })
})

test('a browser with a cached copy gets 304', async () => {
  const { headers } = await getScript()
  const again = await getScript({ 'if-none-match': String(headers.etag) })
  expect({ status: again.status, bytes: again.body.length }).toEqual({ status: 304, bytes: 0 })
  expect(again.headers.etag).toBe(headers.etag)
})

test('the snippet accepts only GET and HEAD', async () => {
  expect(await getScript({}, 'HEAD')).toMatchObject({ status: 200, body: Buffer.alloc(0) })
  expect(await getScript({}, 'DELETE')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
})

test('returns 404 when the snippet is not built', async () => {
  const request = {
    httpVersion: '1.1',
    method: 'GET',
    url: 'http://localhost/sdk.js',
    header: new Headers(),
    signal: new AbortController().signal,
    body: null,
  }
  const [[, serve] = []] = createSdkScripts('/nowhere')
  expect(await serve?.(request as never)).toMatchObject({ status: 404 })
})
