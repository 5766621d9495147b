import { expect, test } from 'vitest'
import type { Answer } from '../../rpc/answer.ts'
import type { Asset } from './assets.ts'
import { createEmbedPages } from './embed-page.ts'

const page: Asset = {
  contentType: 'text/html; charset=utf-8',
  isImmutable: false,
  etag: '"page"',
  plain: Buffer.from('<!doctype html>'),
}
const ACCEPT = { accept: 'text/html' }

function ask(path: string, headers: Readonly<Record<string, string>> = ACCEPT) {
  const isEmbeddable = async (shareId: string): Promise<boolean> => {
    if (shareId === 'broken') throw new Error('the catalog is unavailable')
    return shareId === 'open'
  }
  const serve = createEmbedPages(new Map([['/index.html', page]]), isEmbeddable)
  return serve({ method: 'GET', path, header: (name) => headers[name] })
}

const headerOf = (answer: Answer | undefined, name: string): string | undefined =>
  answer?.headers.find(([other]) => other === name)?.[1]

test('only a share that allows it may be in a frame of another site', async () => {
  const answers = await Promise.all(['open', 'closed', 'broken'].map((id) => ask(`/embed/${id}`)))
  expect(answers.map((answer) => [answer?.status, headerOf(answer, 'x-frame-options')])).toEqual([
    [200, undefined],
    [200, 'DENY'],
    [200, 'DENY'],
  ])
  const policies = answers.map((answer) => headerOf(answer, 'content-security-policy') ?? '')
  expect(policies.map((policy) => /frame-ancestors ([^;]+)/.exec(policy)?.[1])).toEqual([
    '*',
    "'none'",
    "'none'",
  ])
  expect(policies[0]?.replace('*', "'none'")).toBe(policies[1])
})

test('the page keeps its other headers, each of them once', async () => {
  const answer = await ask('/embed/open/')
  const names = (answer?.headers ?? []).map(([name]) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(headerOf(answer, 'content-type')).toBe('text/html; charset=utf-8')
  expect(headerOf(answer, 'x-content-type-options')).toBe('nosniff')
})

test('the page is never cached, so that browsers notice a change of the share', async () => {
  const answer = await ask('/embed/open', { ...ACCEPT, 'if-none-match': '"page"' })
  expect([answer?.status, headerOf(answer, 'cache-control')]).toEqual([200, 'no-store'])
})

test.each(['/embed/', '/embed/a/b', '/share/open', '/embed/open/../../p/1', '/'])(
  '%s is another page',
  (path) => {
    expect(ask(path)).toBeUndefined()
  },
)
