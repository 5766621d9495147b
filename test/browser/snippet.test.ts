import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, openPage, serveSite } from '../harness/chromium.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'

const PROFILES = 'shared.profiles.v1.ProfilesService'
const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const HOUR_MS = 3_600_000
/** Pages of this origin are secure ones. */
const SITE = 'http://localhost:9'
const INSECURE_SITE = 'http://shop.example'
const STORED_KEYS = 'Object.keys(localStorage)'

interface StoredEvent {
  readonly kind: string
  readonly occurTime: string
  readonly distinctId: string
  readonly sessionId: string
  readonly autoProperties: Readonly<Record<string, unknown>>
  readonly customProperties?: Readonly<Record<string, unknown>>
}

describe.skipIf(!hasChromium())('the snippet on a page', () => {
  let service: TestService
  let browser: Browser
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    service = await TestService.start()
    browser = await launchChromium()
  })

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
  })

  async function openSite({ attributes = '', head = '', site = SITE, options = {} }: SiteOptions = {}) {
    const context = await browser.newContext(options)
    contexts.push(context)
    const script = `<script async src="${service.url}/sdk.js" data-key="${PUBLIC_KEY}" ${attributes}></script>`
    await serveSite(context, site, head + script)
    return context
  }

  /** The stored events whose page is below a path, oldest first, once there are so many. */
  async function eventsBelow(address: string, count: number): Promise<readonly StoredEvent[]> {
    return await waitFor(`${count} events of ${address}`, async () => {
      const { body } = await service.call(EXPLORER, { pageSize: 100 })
      const events = (body.events ?? []) as StoredEvent[]
      const own = events.filter(({ autoProperties }) => String(autoProperties.$url).startsWith(address))
      return own.length >= count ? own.reverse() : undefined
    })
  }

  /** Properties that the pages below a path reported as dropped. The report goes out separately, perhaps last. */
  async function reportsBelow(address: string) {
    return await waitFor(`the report of ${address}`, async () => {
      const events = await eventsBelow(address, 1)
      const reports = events.filter(({ kind }) => kind === 'events_dropped')
      return reports.length > 0 ? reports.map(({ customProperties }) => customProperties) : undefined
    })
  }

  async function total(kind: string): Promise<number> {
    const now = Date.now()
    const question = {
      spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind } }] },
      timeRange: { from: new Date(now - 24 * HOUR_MS), to: new Date(now + HOUR_MS) },
      granularity: 'GRANULARITY_HOUR',
    }
    const { body } = await service.call('shared.insights.v1.InsightsService/Query', question, {
      'cache-control': 'no-cache',
    })
    return (body.segmentation as { readonly total?: number } | undefined)?.total ?? 0
  }

  test('counts a view of each page of the history, with the page before as the referrer', async () => {
    const context = await openSite()
    const page = await openPage(context, `${SITE}/views/a`)
    await page.evaluate("history.pushState(null, '', '/views/b?x=1')")
    await page.evaluate("history.replaceState(null, '', '/views/b?x=1#anchor')")
    await page.evaluate("history.replaceState(null, '', '/views/c')")
    await page.evaluate('history.back()')
    await page.waitForURL('**/views/a')
    await page.evaluate(
      "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); millrace.flush()",
    )
    const events = await eventsBelow(`${SITE}/views/`, 5)
    const seen = events.map(({ kind, autoProperties }) => [
      kind,
      autoProperties.$pathname,
      autoProperties.$referrer,
    ])
    const at = (path: string): string => `${SITE}/views/${path}`
    const restored = ['page_view', '/views/a', at('c')]
    expect(seen.map(String).sort()).toEqual(
      [
        ['page_view', '/views/a', undefined],
        ['page_view', '/views/b', at('a')],
        ['page_view', '/views/c', at('b?x=1#anchor')],
        restored,
        restored,
      ]
        .map(String)
        .sort(),
    )
    expect(events[0]?.autoProperties).toMatchObject({ $title: 'Site' })
    expect(new Set(events.map(({ sessionId }) => sessionId)).size).toBe(1)
  })

  test('runs calls queued before it loaded, with their original times', async () => {
    const time = Date.now() - 60_000
    const head = `<script>window.millrace = window.millrace || []
      millrace.push(['track', 'early', { plan: 'pro', seats: 3, ratio: 0.5, trial: true }, ${time}])</script>`
    const page = await openPage(await openSite({ head }), `${SITE}/stub/`)
    await page.evaluate('millrace.flush()')
    const events = await eventsBelow(`${SITE}/stub/`, 2)
    expect(events.find(({ kind }) => kind === 'early')).toMatchObject({
      occurTime: new Date(time).toISOString(),
      customProperties: {
        plan: 'pro',
        seats: 3,
        ratio: 0.5,
        trial: true,
      },
    })
  })

  test('identify claims earlier events, and reset starts a new visitor', async () => {
    const page = await openPage(await openSite(), `${SITE}/people/`)
    await page.evaluate("millrace.track('before'); millrace.identify('ann', { plan: 'pro' })")
    await page.evaluate("millrace.track('after'); millrace.reset(); millrace.track('else'); millrace.flush()")
    const events = await eventsBelow(`${SITE}/people/`, 4)
    const idOf = (kind: string) => events.find((event) => event.kind === kind)?.distinctId
    expect(idOf('after')).toBe('ann')
    expect(idOf('else')).toMatch(/^anon-/)
    expect(idOf('else')).not.toBe(idOf('before'))
    const profile = await waitFor('the merge', async () => {
      const { body } = await service.call(`${PROFILES}/Get`, { id: idOf('before') })
      const found = body.profile as { readonly externalId?: string } | undefined
      return found?.externalId === 'ann' ? found : undefined
    })
    expect(profile).toMatchObject({ properties: { plan: 'pro' } })
  })

  test.each([
    ['data-consent="denied"', 'attribute', { attributes: 'data-consent="denied"' }, ''],
    ['setConsent', 'call', {}, "millrace.setConsent('denied')"],
    ['Global Privacy Control', 'signal', {}, ''],
  ])('without consent by %s nothing is stored and events are cookieless', async (_, name, options, call) => {
    const context = await openSite(options)
    const signal = 'Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { value: true })'
    if (name === 'signal') await context.addInitScript(signal)
    const page = await openPage(context, `${SITE}/denied-${name}/`)
    await page.evaluate(`${call};millrace.identify('eve'); millrace.track('quiet_${name}'); millrace.flush()`)
    const events = await eventsBelow(`${SITE}/denied-${name}/`, 2)
    const quiet = events.find(({ kind }) => kind === `quiet_${name}`)
    expect(quiet?.distinctId).toMatch(/^cookieless-/)
    expect(await page.evaluate(STORED_KEYS)).toEqual([])
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await service.call(`${PROFILES}/GetByExternalId`, { externalId: 'eve' })).toMatchObject({
      status: 404,
    })
  })

  test('falls back to memory when storage is blocked', async () => {
    const context = await openSite()
    const block = `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })`
    await context.addInitScript(block)
    const page = await openPage(context, `${SITE}/blocked/`)
    await page.evaluate("millrace.track('a'); millrace.track('b'); millrace.flush()")
    const events = await eventsBelow(`${SITE}/blocked/`, 3)
    expect(new Set(events.map(({ distinctId, sessionId }) => distinctId + sessionId)).size).toBe(1)
  })

  test('events queued during an hour offline arrive with their original times', async () => {
    const startMs = Date.now() - HOUR_MS
    const context = await openSite()
    await context.clock.install({ time: startMs })
    const page = await openPage(context, `${SITE}/offline/`)
    await context.setOffline(true)
    await page.evaluate("millrace.track('offline_first')")
    await page.clock.fastForward(HOUR_MS)
    await page.evaluate("millrace.track('offline_last')")
    await page.clock.runFor(10_000)
    await context.setOffline(false)
    await waitFor('the events to leave', async () => {
      await page.clock.runFor(1_000)
      return (await total('offline_first')) + (await total('offline_last')) === 2 ? true : undefined
    })
    const events = await eventsBelow(`${SITE}/offline/`, 3)
    const [first, last] = ['offline_first', 'offline_last'].map((kind) =>
      events.find((event) => event.kind === kind),
    )
    const apartMs = Date.parse(last?.occurTime ?? '') - Date.parse(first?.occurTime ?? '')
    expect(apartMs).toBeGreaterThanOrEqual(HOUR_MS)
    expect(last?.sessionId).not.toBe(first?.sessionId)
  })

  test('queues 10,000 events, reports the dropped ones once, and counts none twice when the page closes midway', async () => {
    const context = await openSite({ attributes: 'data-page-views="manual"' })
    // What a browser took at the end of a page, it may lose.
    await context.addInitScript('Navigator.prototype.sendBeacon = () => true')
    const page = await openPage(context, `${SITE}/many/`)
    await context.setOffline(true)
    await page.evaluate("for (let n = 0; n < 10_250; n++) millrace.track('many', { n })")
    const sent = page.waitForRequest('**/BatchCreate*')
    await context.setOffline(false)
    await page.evaluate('millrace.flush()')
    await sent
    await page.close()
    const next = await openPage(context, `${SITE}/many/`)
    await next.evaluate('millrace.flush()')
    await waitFor('the queue to be empty', async () => {
      await next.evaluate('millrace.flush()')
      const left = await next.evaluate(`${STORED_KEYS}.filter((key) => key.includes(':e:')).length`)
      return left === 0 ? true : undefined
    })
    await waitFor('all events', async () => ((await total('many')) >= 10_000 ? true : undefined))
    expect(await total('many')).toBe(10_000)
    expect(await reportsBelow(`${SITE}/many/`)).toEqual([{ count: 250 }])
  })

  test.each([
    ['blocked', `Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })`],
    ['full', `Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError') }`],
  ])('where storage is %s, the queue is as long, and counts nothing twice', async (name, script) => {
    const context = await openSite({ attributes: 'data-page-views="manual"' })
    await context.addInitScript(script)
    const page = await openPage(context, `${SITE}/no-room-${name}/`)
    await context.setOffline(true)
    await page.evaluate(`for (let n = 0; n < 10_025; n++) millrace.track('waits_${name}', { n })`)
    await context.setOffline(false)
    await page.evaluate('millrace.flush()')
    await waitFor('all events', async () => ((await total(`waits_${name}`)) >= 10_000 ? true : undefined))
    await page.evaluate('millrace.flush()')
    expect(await reportsBelow(`${SITE}/no-room-${name}/`)).toEqual([{ count: 25 }])
    expect(await total(`waits_${name}`)).toBe(10_000)
  })

  test('a closing page sends its queue', async () => {
    const context = await openSite()
    const page = await openPage(context, `${SITE}/closed/`)
    await page.evaluate("millrace.track('at_the_end')")
    await page.goto('about:blank')
    await eventsBelow(`${SITE}/closed/`, 2)
    expect(await total('at_the_end')).toBe(1)
  })

  test.each([
    ['with locks', SITE],
    ['without locks', INSECURE_SITE],
  ])('several tabs share a queue that is counted once, %s', async (name, site) => {
    const kind = name.replace(' ', '_')
    const context = await openSite({ site })
    const pages = [await openPage(context, `${site}/tabs/1`), await openPage(context, `${site}/tabs/2`)]
    await context.setOffline(true)
    for (const page of pages) await page.evaluate(`millrace.track('${kind}'); millrace.flush()`)
    const sentIds: string[] = []
    context.on('requestfinished', (request) => {
      const ids = request.postData()?.match(/(?<="eventId":")[^"]+/g) ?? []
      if (request.url().includes('BatchCreate')) sentIds.push(...ids)
    })
    await context.setOffline(false)
    await waitFor('the events of both', async () => {
      return (await total(kind)) >= 2 ? true : undefined
    })
    expect(await total(kind)).toBe(2)
    // Without locks two tabs may send at the same moment, which is counted once.
    if (site === SITE) expect(new Set(sentIds).size).toBe(sentIds.length)
  })

  test('defines one global, and throws no error', async () => {
    const context = await openSite()
    const page = await openPage(context, `${SITE}/quiet/`)
    const thrown: Error[] = []
    page.on('pageerror', (error) => thrown.push(error))
    const calls = [
      "track('bad kind')",
      'track()',
      "track('x', { toJSON() { throw 1 }, get a() { throw 1 } })",
      'identify()',
      "identify('x', { n: 1n })",
      "push('nonsense')",
      "push(['constructor'])",
      'init()',
    ]
    expect(await page.evaluate(calls.map((call) => `millrace.${call}`).join(';'))).toBeUndefined()
    const added = `(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      return Object.keys(window).filter((name) => !(name in frame.contentWindow) && isNaN(name))
    })()`
    expect(await page.evaluate(added)).toEqual(['millrace'])
    expect(thrown).toEqual([])
  })
})

interface SiteOptions {
  readonly attributes?: string
  /** Markup before the script. */
  readonly head?: string
  readonly site?: string
  readonly options?: BrowserContextOptions
}
