import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, openPage, serveSite } from '../harness/chromium.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const SITE = 'http://localhost:9'

interface StoredEvent {
  readonly kind: string
  readonly autoProperties: Readonly<Record<string, unknown>>
  readonly customProperties?: Readonly<Record<string, unknown>>
}

describe.skipIf(!hasChromium())('modules of the snippet', () => {
  let service: TestService
  let browser: Browser
  let context: BrowserContext

  beforeAll(async () => {
    service = await TestService.start({ SERVICE_WELL_KNOWN_EVENTS: 'enforce' })
    browser = await launchChromium()
  })

  afterEach(async () => {
    await context?.close()
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
  })

  /** A page whose modules have loaded. */
  async function openWith(path: string, modules: string, content = ''): Promise<Page> {
    context = await browser.newContext()
    const attributes = `data-key="${PUBLIC_KEY}" data-modules="${modules}"`
    await serveSite(
      context,
      SITE,
      `<script async src="${service.url}/sdk.js" ${attributes}></script>${content}`,
    )
    const page = await openPage(context, `${SITE}${path}`)
    await page.waitForLoadState('networkidle')
    return page
  }

  /** The custom properties of the events of a kind below a path, once there are so many. */
  async function propertiesOf(kind: string, path: string, count: number) {
    return await waitFor(`${count} events ${kind} of ${path}`, async () => {
      const { body } = await service.call(EXPLORER, { events: [{ kind }], pageSize: 100 })
      const events = ((body.events ?? []) as readonly StoredEvent[]).filter(
        ({ autoProperties }) => autoProperties.$pathname === path,
      )
      return events.length >= count
        ? events.map(({ customProperties }) => customProperties).reverse()
        : undefined
    })
  }

  test('outbound-links records links to other hosts, without their query', async () => {
    const links = `<a id=own href="/other#x">own</a><a id=out href="https://b.example:8/x/y?token=1#z"><b>out</b></a>`
    const page = await openWith('/links', 'outbound-links', links)
    await page.evaluate("addEventListener('click', (event) => event.preventDefault())")
    await page.evaluate(
      "own.click(); out.firstChild.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true }))",
    )
    await page.evaluate('millrace.flush()')
    expect(await propertiesOf('outbound_link_click', '/links', 1)).toEqual([
      { url: 'https://b.example:8/x/y', host: 'b.example:8' },
    ])
  })

  test('file-downloads records links to files', async () => {
    const links = '<a id=page href="/pdf">page</a><a id=file href="/files/Price%20list.PDF?secret=1">file</a>'
    const page = await openWith('/files', 'file-downloads', links)
    await page.evaluate("addEventListener('click', (event) => event.preventDefault())")
    await page.evaluate('page.click(); file.click(); millrace.flush()')
    expect(await propertiesOf('file_downloaded', '/files', 1)).toEqual([
      { file_id: `${SITE}/files/Price%20list.PDF`, file_name: 'Price%20list.PDF', file_type: 'pdf' },
    ])
  })

  test('scroll-depth records each quarter once, and starts again on another page', async () => {
    const page = await openWith('/scroll', 'scroll-depth', '<div style="height: 4000px">long</div>')
    const scrollTo = async (y: number) =>
      await page.evaluate(
        `new Promise((done) => { addEventListener('scroll', () => done(), { once: true }); scrollTo(0, ${y}) })`,
      )
    await scrollTo(1500)
    await scrollTo(100)
    await scrollTo(1400)
    await scrollTo(9000)
    await page.evaluate("history.pushState(null, '', '/scroll-next')")
    await scrollTo(500)
    await page.evaluate('millrace.flush()')
    const percents = async (path: string, count: number) =>
      (await propertiesOf('scroll', path, count))
        .map((properties) => Number(properties?.percent))
        .sort((a, b) => a - b)
    expect(await percents('/scroll', 4)).toEqual([25, 50, 75, 100])
    expect(await percents('/scroll-next', 1)).toEqual([25])
  })

  test('form-submits records the form, and nothing of its fields', async () => {
    const form = `<form id=signup name=join action="/join?plan=1"><input name=id value="secret"><input name=action value="secret"></form>`
    const page = await openWith('/forms', 'form-submits', form)
    await page.evaluate("addEventListener('submit', (event) => event.preventDefault())")
    await page.evaluate('document.forms[0].requestSubmit(); millrace.flush()')
    expect(await propertiesOf('form_submit', '/forms', 1)).toEqual([
      { form_id: 'signup', form_name: 'join', action: `${SITE}/join` },
    ])
  })

  test('errors records each once and at most ten, without personal data', async () => {
    const page = await openWith('/errors', 'errors')
    const raise = (text: string) => `setTimeout(() => { throw new TypeError(${JSON.stringify(text)}) })`
    await page.evaluate(raise('no user ann@shop.example with card 4111 1111 1111 1111'))
    await page.evaluate(raise('no user ann@shop.example with card 4111 1111 1111 1111'))
    await page.evaluate(
      "setTimeout(() => { Promise.reject(new RangeError('too far: https://shop.example/a?token=1')) })",
    )
    await page.evaluate(
      "for (let n = 0; n < 20; n++) setTimeout(() => { throw new Error('number ' + 'x'.repeat(n)) })",
    )
    await waitFor(
      'the errors to be raised',
      async () => await page.evaluate('new Promise((done) => setTimeout(() => done(true)))'),
    )
    await page.evaluate('millrace.flush()')
    const errors = await propertiesOf('error_occurred', '/errors', 10)
    expect(errors).toHaveLength(10)
    const messages = errors.map((properties) => `${properties?.error_code}: ${properties?.message}`)
    expect(messages).toContain('TypeError: no user [email] with card [number]')
    expect(messages).toContain('RangeError: too far: https://shop.example/a')
    expect(new Set(messages).size).toBe(10)
  })

  test('web-vitals records each metric of a page that is left', async () => {
    const page = await openWith('/vitals', 'web-vitals', '<h1>Vitals</h1>')
    await page.goto('about:blank')
    const names = (await propertiesOf('web_vital', '/vitals', 4)).map((properties) => properties?.name)
    expect(names).toEqual(expect.arrayContaining(['CLS', 'FCP', 'LCP', 'TTFB']))
  })

  test('a module that does not exist throws nothing, and the others load', async () => {
    context = await browser.newContext()
    const attributes = `data-key="${PUBLIC_KEY}" data-modules="nothing scroll-depth"`
    await serveSite(context, SITE, `<script async src="${service.url}/sdk.js" ${attributes}></script>`)
    const page = await context.newPage()
    const thrown: Error[] = []
    page.on('pageerror', (error) => thrown.push(error))
    const loaded = page.waitForResponse('**/sdk-scroll-depth.js')
    await page.goto(`${SITE}/missing`)
    expect((await loaded).status()).toBe(200)
    await page.waitForLoadState('networkidle')
    expect(thrown).toEqual([])
  })
})
