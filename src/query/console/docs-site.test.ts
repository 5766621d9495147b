import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../rpc/answer.ts'
import { createDocsSite, type ServeDocs } from './docs-site.ts'

const SCRIPT = 'document.documentElement.classList.add("dark")'
const FILES: Readonly<Record<string, string>> = {
  'index.html': `<script>${SCRIPT}</script><script src="/docs/assets/a.js"></script>first`,
  'quick-start.html': 'quick start',
  'api/index.html': 'reference',
  '404.html': 'missing',
  'assets/a.js': 'code',
}

let folder: string
let serve: ServeDocs

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  serve = createDocsSite(folder)
})

afterAll(() => rmSync(folder, { recursive: true }))

function get(path: string, served: ServeDocs = serve): Answer | undefined {
  return served({ method: 'GET', path, header: () => undefined })
}

function headerOf(answer: Answer | undefined, name: string): string | undefined {
  return answer?.headers.find(([other]) => other === name)?.[1]
}

test.each([
  ['/docs/', 200, FILES['index.html']],
  ['/docs/quick-start', 200, 'quick start'],
  ['/docs/quick-start.html', 200, 'quick start'],
  ['/docs/api/', 200, 'reference'],
  ['/docs/api/index', 200, 'reference'],
  ['/docs/assets/a.js', 200, 'code'],
  ['/docs/nothing', 404, 'missing'],
  ['/docs/../package.json', 404, 'missing'],
])('%s has status %d', (path, status, body) => {
  const answer = get(path)
  expect([answer?.status, String(answer?.body)]).toEqual([status, body])
})

test.each(['/', '/docsx', '/dashboards/docs/'])('%s is not a page of the documentation', (path) => {
  expect(get(path)).toBeUndefined()
})

test('the address without a slash redirects, so that relative links resolve', () => {
  const answer = get('/docs')
  expect([answer?.status, headerOf(answer, 'location')]).toEqual([308, '/docs/'])
})

test('the policy allows the scripts in the pages by digest, and no others', () => {
  const digest = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = headerOf(get('/docs/quick-start'), 'content-security-policy') ?? ''
  expect(policy).toContain(`script-src 'self' 'sha256-${digest}';`)
})

test('a site that is not built explains how to build it', () => {
  const answer = get('/docs/', createDocsSite(join(folder, 'nowhere')))
  expect(answer?.status).toBe(404)
  expect(String(answer?.body)).toContain('npm run docs')
})
