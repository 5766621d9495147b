import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, openPage, serveSite } from '../harness/chromium.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const SITE = 'http://localhost:9'
const STORED_KEYS = 'Object.keys(localStorage)'
const DO_NOT_TRACK = 'Object.defineProperty(Navigator.prototype, "doNotTrack", { value: "1" })'

interface StoredEvent {
  readonly kind: string
  readonly distinctId: string
  readonly autoProperties: Readonly<Record<string, unknown>>
}

describe.skipIf(!hasChromium())('consent', () => {
  let service: TestService
  let browser: Browser
  let context: BrowserContext

  beforeAll(async () => {
    service = await TestService.start()
    browser = await launchChromium()
  })

  afterEach(async () => {
    await context?.close()
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
  })

  /** A page in a new browser; `earlier` ran on a page of the same site before, with consent. */
  async function openWith(
    path: string,
    attributes: string,
    { script = '', earlier = '' } = {},
  ): Promise<{ readonly page: Page; readonly requests: string[] }> {
    context = await browser.newContext()
    if (script) await context.addInitScript(script)
    const tagOf = (more: string) =>
      `<script async src="${service.url}/sdk.js" data-key="${PUBLIC_KEY}" ${more}></script>`
    if (earlier) {
      await serveSite(context, SITE, tagOf('data-page-views="manual"'))
      const page = await openPage(context, `${SITE}/earlier`)
      await page.evaluate(earlier)
      await page.close()
      await context.unroute('**/*')
    }
    await serveSite(context, SITE, tagOf(attributes))
    const requests: string[] = []
    context.on('request', (request) => request.method() === 'POST' && requests.push(request.url()))
    return { page: await openPage(context, `${SITE}${path}`), requests }
  }

  /** The events whose page is at a path, oldest first, once there are so many. */
  async function eventsAt(path: string, count: number): Promise<readonly StoredEvent[]> {
    return await waitFor(`${count} events of ${path}`, async () => {
      const { body } = await service.call(EXPLORER, { pageSize: 100 })
      const events = (body.events ?? []) as readonly StoredEvent[]
      const own = events.filter(({ autoProperties }) => autoProperties.$pathname === path)
      return own.length >= count ? own.reverse() : undefined
    })
  }

  test('while a choice is pending nothing is recorded or sent, and what an earlier page stored stays', async () => {
    const { page, requests } = await openWith('/pending', 'data-consent="pending"', {
      earlier: "millrace.track('earlier'); millrace.flush()",
    })
    const before = await page.evaluate('JSON.stringify(localStorage)')
    await page.evaluate(
      "millrace.track('unheard'); millrace.page(); millrace.identify('ann'); millrace.flush()",
    )
    await page.evaluate("history.pushState(null, '', '/pending/next')")
    await page.waitForLoadState('networkidle')
    expect(requests).toEqual([])
    expect(await page.evaluate('JSON.stringify(localStorage)')).toBe(before)
    await page.evaluate("millrace.setConsent('granted'); millrace.track('heard'); millrace.flush()")
    const events = await eventsAt('/pending/next', 2)
    // The page that is shown counts; the call of identify waited for the choice.
    expect(events.map(({ kind }) => kind).sort()).toEqual(['heard', 'page_view'])
    expect(events.find(({ kind }) => kind === 'heard')?.distinctId).toBe('ann')
    const { body } = await service.call(EXPLORER, { events: [{ kind: 'unheard' }] })
    expect(body.events ?? []).toEqual([])
  })

  test('a person who comes back is the same after a choice that was pending', async () => {
    const { page } = await openWith('/back', 'data-consent="pending"', {
      earlier: "millrace.track('first_visit'); millrace.flush()",
    })
    await page.evaluate("millrace.setConsent('granted'); millrace.flush()")
    const [view] = await eventsAt('/back', 1)
    const { body } = await service.call(EXPLORER, { events: [{ kind: 'first_visit' }] })
    expect((body.events as readonly StoredEvent[]).map(({ distinctId }) => distinctId)).toEqual([
      view?.distinctId,
    ])
  })

  test.each([
    ['attribute', 'data-consent="none"', ''],
    ['call', 'data-page-views="manual"', "millrace.setConsent('none')"],
  ])('none by %s records nothing, and removes what was stored', async (name, attributes, call) => {
    const kind = `opted_out_${name}`
    const { page } = await openWith(`/none-${name}`, attributes, {
      earlier: "millrace.identify('bob')",
    })
    await page.evaluate(`${call};millrace.track('${kind}'); millrace.page(); millrace.identify('eve')`)
    expect(await page.evaluate(STORED_KEYS)).toEqual([])
    await page.evaluate(`millrace.setConsent('granted'); millrace.track('${kind}_later'); millrace.flush()`)
    const [later] = await eventsAt(`/none-${name}`, 1)
    expect(later).toMatchObject({ kind: `${kind}_later`, distinctId: expect.stringMatching(/^anon-/) })
    const { body } = await service.call(EXPLORER, { events: [{ kind }] })
    expect(body.events ?? []).toEqual([])
  })

  test.each([
    ['respected', 'data-respect-dnt="true"', /^cookieless-/, true],
    ['not respected', '', /^anon-/, false],
  ])('Do Not Track that is %s', async (name, attributes, distinctId, isEmpty) => {
    const path = `/dnt-${name.replace(' ', '-')}`
    const { page } = await openWith(path, attributes, { script: DO_NOT_TRACK })
    await page.evaluate('millrace.flush()')
    expect((await eventsAt(path, 1))[0]?.distinctId).toMatch(distinctId)
    const keys = (await page.evaluate(STORED_KEYS)) as readonly string[]
    expect(keys.length === 0).toBe(isEmpty)
  })

  test('a value that is no state counts as denied', async () => {
    const { page } = await openWith('/mistyped', 'data-consent="no"')
    await page.evaluate('millrace.flush()')
    expect((await eventsAt('/mistyped', 1))[0]?.distinctId).toMatch(/^cookieless-/)
    expect(await page.evaluate(STORED_KEYS)).toEqual([])
  })

  test('with manual page views, too, the page before is the referrer', async () => {
    const { page } = await openWith('/manual-a', 'data-page-views="manual"')
    await page.evaluate("history.pushState(null, '', '/manual-b'); millrace.page(); millrace.flush()")
    const [view] = await eventsAt('/manual-b', 1)
    expect(view?.autoProperties.$referrer).toBe(`${SITE}/manual-a`)
  })
})
