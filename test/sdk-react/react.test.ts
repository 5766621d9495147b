import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build } from 'rolldown'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium } from '../harness/chromium.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const SITE = 'http://localhost:9'
const LOADED = 'window.millrace && window.millrace.track'
const EXAMPLE = resolve(import.meta.dirname, '../../sdk/react/example')
const DIST = resolve(import.meta.dirname, '../../sdk/react/dist')

/** Properties of the example in `sdk/react`, an application with a router of its own. */
type AppProps = Readonly<Record<string, unknown>>

interface StoredEvent {
  readonly kind: string
  readonly distinctId: string
  readonly autoProperties: Readonly<Record<string, unknown>>
  readonly customProperties?: Readonly<Record<string, unknown>>
}

test.each([
  ['index.js', ['index.js', 'shared.js']],
  ['next.js', ['next.js', 'shared.js']],
])('%s with what it imports is smaller than 1 kB', (_, files) => {
  const texts = files.map((file) => readFileSync(join(DIST, file), 'utf8'))
  expect(gzipSync(texts.join('\n'), { level: 9 }).length).toBeLessThan(1000)
  expect(texts.map((text) => text.split('\n')[0])).toEqual(files.map(() => "'use client'"))
})

describe.skipIf(!hasChromium())('an application of React in strict mode', () => {
  let service: TestService
  let browser: Browser
  let context: BrowserContext
  let bundle: string
  let render: (props: AppProps) => string

  beforeAll(async () => {
    service = await TestService.start()
    browser = await launchChromium()
    bundle = await bundleApp()
    ;({ render } = await import(join(EXAMPLE, 'app.ts')))
  })

  afterEach(async () => {
    await context?.close()
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
  })

  /** A page that the server rendered, once the snippet is there; `more` are properties of the application. */
  async function openApp(
    path: string,
    more: AppProps = {},
    { isLoaded = LOADED, policy = '' }: { readonly isLoaded?: string; readonly policy?: string } = {},
  ): Promise<Page> {
    const props = { apiKey: PUBLIC_KEY, url: service.url, path, views: 'snippet', ...more }
    const html = `<!doctype html><title>Site</title><div id="root">${render(props)}</div>
      <script nonce="abc">${bundle}</script>
      <script nonce="abc">change = hydrate(${JSON.stringify(props)})</script>`
    context = await browser.newContext()
    await context.route(`${SITE}/**`, async (route) => {
      await route.fulfill({ body: html, headers: { 'content-type': 'text/html', ...policyOf(policy) } })
    })
    const page = await context.newPage()
    await page.goto(SITE + path)
    await page.waitForFunction(isLoaded)
    return page
  }

  /** The events whose page is at or below a path, oldest first, once there are so many. */
  async function eventsBelow(path: string, count: number): Promise<readonly StoredEvent[]> {
    return await waitFor(`${count} events of ${path}`, async () => {
      const { body } = await service.call(EXPLORER, { pageSize: 100 })
      const events = (body.events ?? []) as readonly StoredEvent[]
      const own = events.filter(({ autoProperties }) => String(autoProperties.$pathname).startsWith(path))
      return own.length >= count ? own.reverse() : undefined
    })
  }

  /** Shows another page and waits until React has rendered it. */
  async function show(page: Page, path: string, how = `navigate('${path}')`): Promise<void> {
    await page.evaluate(how)
    await page.waitForFunction(`document.querySelector('button').textContent === '${path}'`)
  }

  test.each(['snippet', 'hook'] as const)('counts each view once, with views of the %s', async (views) => {
    const at = (name: string) => `/${views}/${name}`
    const page = await openApp(at('a'), { views, pageViews: views === 'hook' ? 'manual' : 'auto' })
    await show(page, at('b'))
    await show(page, at('c'))
    await show(page, at('b'), 'history.back()')
    await show(page, at('c'), 'history.forward()')
    await page.evaluate("document.querySelector('button').click(); millrace.flush()")
    const events = await eventsBelow(`/${views}/`, 6)
    const seen = events.map(({ kind, autoProperties }) => `${kind} ${autoProperties.$pathname}`).sort()
    expect(seen).toEqual(
      ['a', 'b', 'b', 'c', 'c']
        .map((name) => `page_view ${at(name)}`)
        .concat(`signup ${at('c')}`)
        .sort(),
    )
    expect(events.find(({ kind }) => kind === 'signup')?.customProperties).toEqual({ plan: 'pro' })
    // What the server rendered is what the browser renders.
    expect(await page.evaluate('errors')).toEqual([])
  })

  test('the hook records a view when the page has its own title', async () => {
    const page = await openApp('/titles/a', { views: 'hook', pageViews: 'manual' })
    await show(page, '/titles/b')
    await page.evaluate('millrace.flush()')
    const events = await eventsBelow('/titles/', 2)
    expect(events.map(({ autoProperties }) => autoProperties.$title).sort()).toEqual([
      'Title of /titles/a',
      'Title of /titles/b',
    ])
  })

  test('steps through the history that follow each other at once are counted where they end', async () => {
    const page = await openApp('/steps/a', { views: 'hook', pageViews: 'manual' })
    for (const name of ['b', 'c', 'd']) await show(page, `/steps/${name}`)
    await show(page, '/steps/a', 'history.go(-1); history.go(-2)')
    await page.evaluate('millrace.flush()')
    const events = await eventsBelow('/steps/', 5)
    const paths = events.map(({ autoProperties }) => autoProperties.$pathname)
    expect(paths.filter((path) => path === '/steps/a')).toHaveLength(2)
    expect(paths.filter((path) => path === '/steps/d')).toHaveLength(1)
  })

  test('a change of the consent reaches the snippet', async () => {
    const page = await openApp('/consent', { consent: 'pending' })
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([])
    await page.evaluate("change({ consent: 'granted' })")
    await page.waitForFunction('Object.keys(localStorage).length > 0')
    await page.evaluate('millrace.flush()')
    expect((await eventsBelow('/consent', 1))[0]?.distinctId).toMatch(/^anon-/)
    await page.evaluate("change({ consent: 'none' })")
    await page.waitForFunction('Object.keys(localStorage).length === 0')
  })

  test('the page shown again out of the back-forward cache counts as a view', async () => {
    const page = await openApp('/restored', { views: 'hook', pageViews: 'manual' })
    await page.evaluate(
      "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); millrace.flush()",
    )
    const events = await eventsBelow('/restored', 2)
    expect(events.map(({ kind }) => kind)).toEqual(['page_view', 'page_view'])
  })

  test('a strict content security policy allows the script by its nonce and its Trusted Types policy', async () => {
    const policy = "script-src 'nonce-abc'; require-trusted-types-for 'script'; trusted-types millrace"
    await openApp('/strict', { nonce: 'abc' }, { policy, isLoaded: 'change' })
    expect((await eventsBelow('/strict', 1)).map(({ kind }) => kind)).toEqual(['page_view'])
  })

  test('an application stays on a page whose policy does not allow the script', async () => {
    const policy = "script-src 'nonce-abc'; require-trusted-types-for 'script'; trusted-types 'none'"
    const page = await openApp('/refused', { nonce: 'abc' }, { policy, isLoaded: 'change' })
    await show(page, '/refused/b')
    expect(await page.evaluate('errors')).toEqual([])
  })

  test('without the script no more than 1000 calls wait', async () => {
    const page = await openApp('/blocked', { url: `${SITE}/nowhere` }, { isLoaded: 'change' })
    await page.evaluate("for (let n = 0; n < 2000; n++) document.querySelector('button').click()")
    expect(await page.evaluate('millrace.length')).toBe(1000)
  })
})

/** The header with a content security policy; none for the empty one. */
function policyOf(policy: string): Readonly<Record<string, string>> {
  return policy === '' ? {} : { 'content-security-policy': policy }
}

/** The application as a bundler makes it while people develop: React runs effects twice then. */
async function bundleApp(): Promise<string> {
  const { output } = await build({
    input: join(EXAMPLE, 'client.ts'),
    platform: 'browser',
    write: false,
    // It warns of the directives of the package, which are for frameworks that render on a server.
    logLevel: 'silent',
    tsconfig: false,
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    output: { format: 'iife' },
  })
  // The text stands in a script element.
  return output[0].code.replaceAll('</script', '<\\/script')
}
