import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSite } from '../scripts/docs-site/site.ts'
import { matchAnswer } from './harness/match-answer.ts'
import { waitFor } from './harness/wait.ts'
import { isRpcError, runSnippet } from './snippets/run-snippet.ts'
import { readSnippets, type Snippet } from './snippets/snippet.ts'
import { StartedService } from './snippets/started-service.ts'
import { installPackages, kindOfPage, runVendorSdk } from './snippets/vendor-sdks.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** The quick start first: the service that it starts serves the other pages too. */
const PAGES = ['README.md', ...listPages().filter((path) => path.startsWith('docs/'))]

const pages = PAGES.map((path) => readSnippets(path, readFileSync(join(ROOT, path), 'utf8')))
const snippets = pages.flat()

let service: StartedService
let folder: string

beforeAll(async () => {
  const [start] = snippets.filter(({ mode }) => mode.kind === 'service')
  // The packages are installed, and installing them again would take them from the other tests.
  service = await StartedService.start(start?.text.replace('npm ci && ', '') ?? '')
  folder = mkdtempSync(join(tmpdir(), 'millrace-snippets-'))
})

afterAll(async () => {
  await service?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

function listPages(): readonly string[] {
  return readSite(ROOT).sections.flatMap((section) => section.pages.map(({ path }) => path))
}

test('one command starts the service, in the README', () => {
  const starts = snippets.filter(({ mode }) => mode.kind === 'service')
  expect(starts.map(({ page, text }) => [page, text])).toEqual([['README.md', 'npm ci && npm start']])
})

test('every test that a block names exists', () => {
  const tests = snippets.flatMap(({ mode }) => (mode.kind === 'run-by' ? [mode.test] : []))
  expect(new Set(tests).size).toBeGreaterThan(0)
  expect([...new Set(tests)].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('a response follows its request', () => {
  const answered = snippets.filter((_, index) => snippets[index + 1]?.mode.kind === 'response')
  expect(answered.filter(({ mode }) => mode.kind !== 'run' && mode.kind !== 'request')).toEqual([])
  expect(snippets[0]?.mode.kind).not.toBe('response')
})

describe.each(pages.filter((page) => page.some(isRun)).map((page) => [page[0]?.page ?? '', page] as const))(
  '%s',
  (path, page) => {
    let pageFolder: string

    beforeAll(() => {
      pageFolder = mkdtempSync(join(folder, 'page-'))
    })

    // One after the other: a block uses what those before it did.
    test.each(page.filter(isRun).map((snippet) => [snippet.line, snippet] as const))(
      `${path}:%i does what the page says`,
      async (_, snippet) => {
        const next = page[page.indexOf(snippet) + 1]
        const expected = next?.mode.kind === 'response' ? JSON.parse(next.text) : undefined
        let answer = ''
        // What was sent a moment ago may not be there yet.
        await waitFor(`${path}:${snippet.line} to answer what the page says`, async () => {
          answer = await runSnippet(snippet, { service, folder: pageFolder })
          return isRpcError(answer) || fits(expected, answer) ? true : undefined
        }).catch((error: unknown) => {
          throw new Error(`the answer was ${answer}`, { cause: error })
        })
        expect(isRpcError(answer), answer).toBe(false)
      },
    )
  },
)

test('the programs of the pages about SDKs of other vendors send, with only the host and the key replaced', async () => {
  const programs = snippets.filter(({ mode }) => mode.kind === 'run-by' && mode.test === 'test/docs.test.ts')
  expect(programs.map(({ page }) => page).sort()).toEqual(
    ['amplitude', 'mixpanel', 'openpanel', 'posthog', 'rudderstack', 'segment', 'umami'].map(
      (name) => `docs/clients/${name}.md`,
    ),
  )
  const at = { url: service.url, folder: mkdtempSync(join(folder, 'sdks-')) }
  installPackages(at.folder)
  await Promise.all(programs.map(async (program) => await runVendorSdk(program, at)))
  const request = { events: programs.map((program) => ({ kind: kindOfPage(program) })), pageSize: 100 }
  await expect
    .poll(async () => await kindsOf(request), { timeout: 40_000 })
    .toEqual(programs.map(kindOfPage).sort())
})

/** The kinds of the events that the explorer finds, in order. */
async function kindsOf(request: object): Promise<readonly string[]> {
  const response = await fetch(`${service.url}/shared.activity.v1.ActivityService/GetEventExplorer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': service.environment.PRIVATE_KEY ?? '' },
    body: JSON.stringify(request),
  })
  const { events = [] } = (await response.json()) as {
    readonly events?: readonly { readonly kind: string }[]
  }
  return events.map(({ kind }) => kind).sort()
}

function isRun({ mode }: Snippet): boolean {
  return mode.kind === 'run' || mode.kind === 'request'
}

function fits(expected: unknown, answer: string): boolean {
  return expected === undefined || matchAnswer(expected, JSON.parse(answer))
}
