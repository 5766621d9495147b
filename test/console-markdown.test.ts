import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderMarkdown } from '../console/src/ui/markdown-html.ts'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { type ConsolePage, openConsolePage, openProject, signInProgram } from './harness/console-page.ts'
import { startConsoleService } from './harness/console-service.ts'
import type { TestService } from './harness/service.ts'

const REL = 'target="_blank" rel="noopener noreferrer"'

test.each([
  ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>\n'],
  [
    'bold, italics and code',
    '**a** *b* `c` ~~d~~',
    '<p><strong>a</strong> <em>b</em> <code>c</code> <s>d</s></p>\n',
  ],
  ['headings, below those of the page', '# a\n## b\n###### c', '<h3>a</h3>\n<h4>b</h4>\n<h6>c</h6>\n'],
  ['a list', '- a\n  1. b', '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>\n'],
  ['a quote', '> a', '<blockquote>\n<p>a</p>\n</blockquote>\n'],
  ['a link', '[a](https://x.test/?b=c)', `<p><a href="https://x.test/?b=c" ${REL}>a</a></p>\n`],
  ['a mail address', '<a@x.test>', `<p><a href="mailto:a@x.test" ${REL}>a@x.test</a></p>\n`],
  ['an image as its text', '![a *b*](https://x.test/c.png)', '<p>a b</p>\n'],
  [
    'HTML as it is written',
    '<b onclick="x()">a</b>',
    '<p>&lt;b onclick=&quot;x()&quot;&gt;a&lt;/b&gt;</p>\n',
  ],
  ['a block of HTML too', '<script>x()</script>', '<p>&lt;script&gt;x()&lt;/script&gt;</p>\n'],
  ['no table', '|a|\n|-|\n|b|', '<p>|a|\n|-|\n|b|</p>\n'],
])('a text has %s', (_, text, html) => {
  expect(renderMarkdown(text)).toBe(html)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '&#106;avascript:alert(1)',
  'java&Tab;script:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'data:image/png;base64,x',
  'file:///etc/passwd',
  '//x.test/',
  '/dashboards',
  'dashboards',
  '#top',
])('an address %s makes no link', (address) => {
  for (const text of [`[a](${address})`, `[a](<${address}>)`, `<${address}>`, `[a][b]\n\n[b]: ${address}`])
    expect(renderMarkdown(text)).not.toContain('<a')
})

test.each([
  ['brackets', '['.repeat(50_000)],
  ['images', '!['.repeat(25_000)],
  ['quotes', '>'.repeat(50_000)],
  ['lists', '- '.repeat(25_000)],
  ['emphasis', '*a _b'.repeat(10_000)],
])('50,000 characters of nested %s are neither an error nor deep', (_, text) => {
  const html = renderMarkdown(text)
  expect(html).not.toBe('')
  expect(html.match(/<(blockquote|ul|em)>/g)?.length ?? 0).toBeLessThanOrEqual(20_000)
  expect(depthOf(html)).toBeLessThanOrEqual(50)
})

/** How many elements stand in each other, at most. */
function depthOf(html: string): number {
  let [depth, deepest] = [0, 0]
  for (const [tag] of html.matchAll(/<\/?[a-z]/g)) {
    depth += tag.startsWith('</') ? -1 : 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

describe.skipIf(!hasChromium())('a text on a dashboard', () => {
  let service: TestService
  let opened: ConsolePage
  let base: string
  let headers: Record<string, string>
  const requests: string[] = []

  beforeAll(async () => {
    service = await startConsoleService()
    opened = await openConsolePage({ width: 1280, height: 900, colorScheme: 'light' })
    base = await openProject(opened.page, service.url)
    headers = await signInProgram(service, base)
    opened.page.on('request', (request) => requests.push(request.url()))
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  const show = async (body: string) => {
    const dashboard = { displayName: 'Texts', tiles: [{ displayName: 'Text', markdown: { body } }] }
    const call = 'dashboard.dashboards.v1.DashboardsService/Upsert'
    const answer = await service.call(call, dashboard, headers)
    expect(answer.status).toBe(200)
    requests.length = 0
    await opened.page.goto(`${base}/dashboards/${(answer.body.dashboard as { id: string }).id}`)
    const text = opened.page.locator('.markdown')
    await text.waitFor()
    return text
  }

  test('loads its renderer only where there is a text', async () => {
    await opened.page.goto(`${base}/dashboards`)
    await opened.page.getByRole('heading', { name: 'Dashboards' }).first().waitFor()
    const rendererOf = (urls: readonly string[]) => urls.filter((url) => /\/markdown-.*\.js$/.test(url))
    expect(rendererOf(requests)).toEqual([])
    await show('hello')
    expect(rendererOf(requests)).toHaveLength(1)
  })

  test('is accessible elements', async () => {
    const text = await show(
      '# Read me\n\nIt is **good**: [look](https://x.test/)\n\n- a\n- b\n\n3. e\n\n> c\n\n```\nd\n```',
    )
    await text.getByRole('heading', { name: 'Read me', level: 3 }).waitFor()
    const link = text.getByRole('link', { name: 'look' })
    expect(await link.getAttribute('href')).toBe('https://x.test/')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await text.locator('ol').getAttribute('start')).toBe('3')
    expect(await text.getByRole('listitem').count()).toBe(3)
    expect(await findBarriers(opened.page)).toEqual([])
  })

  test('runs no script and requests nothing from other hosts', async () => {
    const text = await show(
      [
        '![a](https://evil.test/a.png) <img src="https://evil.test/b.png" onerror="document.title=1">',
        '<script>document.title=1</script> [b](javascript:document.title=1)',
        '<iframe src="https://evil.test/"></iframe> <a href="javascript:document.title=1">c</a>',
        '<style>*{display:none}</style> <form action="https://evil.test/"><input name="d"></form>',
      ].join('\n\n'),
    )
    await text.getByText('<iframe').waitFor()
    const html = await text.innerHTML()
    expect(html.match(/<(?!\/?p>)[^>]*>/g)).toBeNull()
    expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([])
  })

  test('of 50,000 brackets is shown as it is written', async () => {
    const text = await show('['.repeat(50_000))
    expect(await text.textContent()).toContain('['.repeat(50_000))
  })
})
