import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, openPage, serveSite } from '../harness/chromium.ts'
import {
  type DoubleAnswer,
  type HttpDouble,
  type SeenRequest,
  startHttpDouble,
} from '../harness/http-double.ts'
import { waitFor } from '../harness/wait.ts'
import { readSnippet } from './snippet-file.ts'

const SITE = 'http://localhost:9'
const ACCEPTED = { status: 200, body: { accepted: 1 } }
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' }

interface SentEvent {
  readonly eventId: string
  readonly kind: string
  readonly customProperties: Readonly<Record<string, object>>
}

describe.skipIf(!hasChromium())('what the snippet sends', () => {
  let browser: Browser
  let context: BrowserContext
  let double: HttpDouble | undefined

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterEach(async () => {
    await context.close()
    await double?.stop()
  })

  afterAll(async () => {
    await browser?.close()
  })

  /** A page that sends to a double; its clock only advances when a test advances it. */
  async function openWith(answer: (request: SeenRequest) => DoubleAnswer): Promise<Page> {
    const answerPage = (request: SeenRequest): DoubleAnswer => {
      const answered = answer(request)
      return answered && { ...answered, headers: { ...CORS, ...answered.headers } }
    }
    double = await startHttpDouble(answerPage)
    context = await browser.newContext()
    await context.clock.install()
    await context.clock.pauseAt(Date.now() + 60_000)
    const attributes = `data-key="pub_double" data-url="${double.url}" data-page-views="manual"`
    await serveSite(context, SITE, `<script ${attributes}>${readSnippet()}</script>`)
    return await openPage(context, `${SITE}/`)
  }

  function requestCount(): number {
    return double?.requests.length ?? 0
  }

  function sent(from = 0): readonly SentEvent[] {
    return (double?.requests ?? []).slice(from).flatMap(({ body }) => JSON.parse(body).events)
  }

  async function requestsToBe(count: number): Promise<void> {
    await waitFor(`${count} requests`, () => (requestCount() >= count ? true : undefined))
  }

  /** The answers of the double have reached the page. */
  async function settle(page: Page): Promise<void> {
    await page.waitForLoadState('networkidle')
    await page.evaluate("navigator.locks.request('millrace:pub_double:lease', () => 0)")
  }

  test('is sent again with the same ids after a 503, once Retry-After has passed', async () => {
    const page = await openWith(() =>
      requestCount() === 1 ? { status: 503, headers: { 'retry-after': '120' } } : ACCEPTED,
    )
    await page.evaluate("millrace.track('a')")
    await page.clock.runFor(3_000)
    await requestsToBe(1)
    await settle(page)
    await page.clock.runFor(119_000)
    await page.evaluate('millrace.flush()')
    await page.clock.runFor(100)
    await settle(page)
    expect(requestCount()).toBe(1)
    await page.clock.runFor(2_000)
    await requestsToBe(2)
    await settle(page)
    await page.clock.runFor(600_000)
    expect(requestCount()).toBe(2)
    const [first, second] = sent()
    expect(second).toEqual(first)
    expect(double?.requests[0]?.path).toBe('/sdk.events.v1.EventsService/BatchCreate?api_key=pub_double')
    expect(double?.requests[0]?.headers['content-type']).toMatch(/^text\/plain/)
  })

  test('waits longer after each failure', async () => {
    const page = await openWith(() => ({ status: 500 }))
    const startMs = Number(await page.evaluate('Date.now()'))
    const times: number[] = []
    await page.evaluate("millrace.track('a'); millrace.flush()")
    for (let attempt = 1; attempt <= 6; attempt++) {
      await waitFor('an attempt', async () => {
        await page.clock.runFor(250)
        return requestCount() >= attempt ? true : undefined
      })
      await settle(page)
      times.push(Number(await page.evaluate('Date.now()')) - startMs)
    }
    const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0))
    // The fifth is 8 to 16 seconds, the first half a second to one; a step of the clock is a quarter of one.
    expect(waits[4]).toBeGreaterThanOrEqual(8_000 - 250)
    expect(waits[4]).toBeGreaterThan(3 * (waits[0] ?? 0))
  })

  test('omits only the event that the service rejects', async () => {
    const page = await openWith(({ body }) => (body.includes('"bad"') ? { status: 400 } : ACCEPTED))
    await page.evaluate("for (const kind of ['a', 'b', 'bad', 'c', 'd']) millrace.track(kind)")
    await page.evaluate('millrace.flush()')
    await page.clock.runFor(100)
    const taken = await waitFor('the others', () => {
      const bodies = (double?.requests ?? [])
        .map(({ body }) => body)
        .filter((body) => !body.includes('"bad"'))
      const kinds = bodies.flatMap((body) => JSON.parse(body).events.map(({ kind }: SentEvent) => kind))
      return kinds.length >= 4 ? kinds : undefined
    })
    expect(taken).toEqual(['a', 'b', 'c', 'd'])
    await settle(page)
    expect(await page.evaluate("Object.keys(localStorage).filter((key) => key.includes(':e:'))")).toEqual([])
  })

  test('stays within the limits of the service', async () => {
    const page = await openWith(() => ACCEPTED)
    await page.evaluate(`millrace.track('a', {
      long: 'é'.repeat(2000), half: 'x\\ud800', $own: 1, nan: NaN, none: null, fn() {}, big: 1e300,
      at: new Date(0), nested: { a: [1] }, ['k'.repeat(201)]: 1, '': 1,
    })`)
    await page.evaluate(
      "millrace.track('service.x'); millrace.track('sp ace'); millrace.track('b'.repeat(201))",
    )
    await page.evaluate('millrace.flush()')
    await page.clock.runFor(100)
    await requestsToBe(1)
    expect(sent()).toMatchObject([{ kind: 'a' }])
    expect(sent()[0]?.customProperties).toEqual({
      long: { stringValue: 'é'.repeat(1024) },
      half: { stringValue: 'x?' },
      big: { doubleValue: 1e300 },
      at: { timestampValue: '1970-01-01T00:00:00.000Z' },
      nested: { stringValue: '{"a":[1]}' },
    })
  })

  test('events are batched into one request', async () => {
    const page = await openWith(() => ACCEPTED)
    await page.evaluate("for (let n = 0; n < 40; n++) millrace.track('a', { n })")
    await page.clock.runFor(3_000)
    await requestsToBe(1)
    await settle(page)
    await page.clock.runFor(60_000)
    expect(requestCount()).toBe(1)
    expect(new Set(sent().map(({ eventId }) => eventId)).size).toBe(40)
  })

  test('a hidden page sends its queue by beacon, and only once', async () => {
    const page = await openWith(() => ACCEPTED)
    await page.evaluate("millrace.track('a')")
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await requestsToBe(1)
    await page.clock.runFor(60_000)
    await settle(page)
    expect(requestCount()).toBe(1)
    expect(sent()).toMatchObject([{ kind: 'a' }])
  })
})
