import { describe, expect, test } from 'vitest'
import type { Answer } from '../../rpc/answer.ts'
import { answerAsset } from './asset-answer.ts'
import type { Asset, Assets } from './assets.ts'

const page: Asset = {
  contentType: 'text/html; charset=utf-8',
  isImmutable: false,
  etag: '"page"',
  plain: Buffer.from('<!doctype html>'),
}
const script: Asset = {
  contentType: 'text/javascript; charset=utf-8',
  isImmutable: true,
  etag: '"script"',
  plain: Buffer.from('plain'),
  gzip: Buffer.from('gzip'),
  br: Buffer.from('br'),
}
const ASSETS: Assets = new Map([
  ['/index.html', page],
  ['/assets/a-1.js', script],
])

function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', assets = ASSETS }: { readonly method?: string; readonly assets?: Assets } = {},
): Answer | undefined {
  return answerAsset({ method, path, header: (name) => headers[name] }, assets)
}

const headerOf = (answer: Answer | undefined, name: string): string | undefined =>
  answer?.headers.find(([other]) => other === name)?.[1]

describe('a file', () => {
  test.each([
    ['br, gzip', 'br', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'gzip'],
    ['br;q=0.0', undefined, 'plain'],
    ['', undefined, 'plain'],
  ])('is encoded for accept-encoding %j as %s', (accepted, coding, body) => {
    const answer = ask('/assets/a-1.js', { 'accept-encoding': accepted })
    expect([headerOf(answer, 'content-encoding'), String(answer?.body)]).toEqual([coding, body])
    expect(headerOf(answer, 'vary')).toBe('accept-encoding')
  })

  test('with a digest in its name is immutable, and the page is revalidated', () => {
    expect(headerOf(ask('/assets/a-1.js'), 'cache-control')).toContain('immutable')
    expect(headerOf(ask('/', { accept: 'text/html' }), 'cache-control')).toBe('no-cache')
  })

  test.each(['"script"', 'W/"script"', '"other", "script"'])(
    'with a matching etag %s is not sent again',
    (tag) => {
      expect(ask('/assets/a-1.js', { 'if-none-match': tag })).toMatchObject({ status: 304, body: '' })
    },
  )

  test('has no body in the response to HEAD', () => {
    expect(ask('/assets/a-1.js', {}, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })
})

describe('a page', () => {
  test.each(['/', '/p/1/live', '/sign-in'])('is served at %s', (path) => {
    const answer = ask(path, { accept: 'text/html,*/*' })
    expect(answer).toMatchObject({ status: 200, body: page.plain })
    expect(headerOf(answer, 'content-security-policy')).toContain("script-src 'self';")
  })

  test.each(['/', '/share/roGItyLnZC0wp-hbwJ9UoA', '/embed/roGItyLnZC0wp-hbwJ9UoA/'])(
    'is served at %s to a program that looks at a link',
    (path) => {
      for (const method of ['GET', 'HEAD'])
        expect(ask(path, { accept: '*/*' }, { method })).toMatchObject({ status: 200 })
    },
  )

  test.each([
    ['a program that asks for more than a link', '/share/a/b', { accept: '*/*' }, 'GET'],
    ['a program that accepts any type', '/p/1/live', { accept: '*/*' }, 'GET'],
    ['a call of a method', '/sdk.events.v1.EventsService/BatchCreate', { accept: 'text/html' }, 'POST'],
    ['a file that does not exist', '/assets/b-2.js', { accept: '*/*' }, 'GET'],
  ])('is not served to %s', (_, path, headers, method) => {
    expect(ask(path, headers, { method })).toBeUndefined()
  })

  test('explains how to build the console when it is not built', () => {
    const answer = ask('/', {}, { assets: new Map() })
    expect(answer?.status).toBe(503)
    expect(answer?.body).toContain('npm run build:console')
  })
})
