// Times of a dashboard of twenty tiles in a browser, over the events of the insights benchmark: from the answer to the first
// tile that is painted, the longest time in which the page takes no input, while it starts and once it is answered, and from
// interactions to the next frame.
import type { BrowserContext, Page } from 'playwright-core'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { openBrowser } from '../../test/harness/browser.ts'
import { signInAt } from '../../test/harness/console-service.ts'
import { TRAFFIC_RANGE } from '../insights/world/traffic.ts'
import { type OnWorld, runOnWorld } from '../rig/run-command.ts'
import { createTwentyTiles, startOnWorld } from '../rig/twenty-tiles.ts'
import { describeResponses, type Response, respond, WATCH_INTERACTIONS } from './interactions.ts'

const ROUNDS = 5
const ANSWER_MS_MAX = 120_000
const LOOK_EVERY_MS = 50
const SEEN_MS = 200
const TILES_USED = 6
const KEY_MS = 2000

/** Observations of a page, in milliseconds since it was opened. */
interface Sight {
  readonly answeredMs: number
  readonly paintedMs: number
  /** Tasks beyond 50 ms: from the answer on, and those before, which are the start of the page. */
  readonly longTasksMs: readonly number[]
  readonly startTasksMs: readonly number[]
  readonly jumped: number
  /** The responses of {@link STEPS}. */
  readonly used: readonly Response[]
}

/** Records in the page when the first chart of a tile was painted, every task beyond 50 ms, and layout shifts. */
const WATCH = `(() => {
  const sight = (globalThis.sight = { paintedMs: 0, longTasksMs: [], jumped: 0 })
  const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  watch('longtask', ({ startTime, duration }) => sight.longTasksMs.push([startTime, duration]))
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) sight.jumped += value })
  const look = () => {
    if (!document.querySelector('.tile-content :is(canvas, svg, table, .kpi, .ranked-bars, .funnel-rows, .heat)')) return requestAnimationFrame(look)
    requestAnimationFrame(() => setTimeout(() => { sight.paintedMs = performance.now() }))
  }
  requestAnimationFrame(look)
})()`

interface Step {
  readonly name: string
  readonly act: (page: Page) => Promise<void>
}

const STEPS: readonly Step[] = [
  { name: 'pointer and menus', act: openMenus },
  { name: 'choice of dates', act: async (page) => await press(page, 'd', 'Escape') },
  { name: 'comparison on and off', act: async (page) => await press(page, 'c', 'c') },
  { name: 'side bar folded', act: async (page) => await press(page, '[', '[') },
  { name: 'tiles arranged', act: async (page) => await press(page, 'e', 'Escape') },
]

await runOnWorld('bench:console', measure)

async function measure({ folder, teardown }: OnWorld): Promise<void> {
  const service = await startOnWorld(teardown, folder, { SERVICE_QUERY_CACHE_SECONDS: '600' })
  const browser = await openBrowser({ width: 1280, height: 900, colorScheme: 'light' })
  teardown.defer(async () => await browser.close())
  const page = await browser.context.newPage()
  await signInAt(page, service.url)
  await page.waitForURL(/\/p\/[^/]+\//)
  const [base = '', project = ''] = /^.*\/p\/([^/]+)/.exec(page.url()) ?? []
  const { dashboardId } = await createTwentyTiles(service, project)
  await page.close()
  const address = `${base}/dashboards/${dashboardId}?range=${toDay(TRAFFIC_RANGE.fromMs)}..${toDay(TRAFFIC_RANGE.toMs - 1)}`
  // The first call computes; the others are about the browser.
  await openDashboard(browser.context, address)
  const used: (readonly Response[])[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const sight = await openDashboard(browser.context, address)
    used.push(sight.used)
    process.stdout.write(
      `first tile ${Math.round(sight.paintedMs - sight.answeredMs)} ms after the answer; tasks beyond 50 ms: ${sight.longTasksMs.length}, the longest ${longestOf(sight.longTasksMs)} ms, at the start ${longestOf(sight.startTasksMs)} ms; shift ${sight.jumped.toFixed(3)}\n`,
    )
  }
  STEPS.forEach(({ name }, step) => {
    const responses = used.flatMap((round) => round[step] ?? [])
    process.stdout.write(describeResponses(name, responses))
  })
}

function longestOf(tasksMs: readonly number[]): number {
  return Math.round(Math.max(0, ...tasksMs))
}

async function openDashboard(context: BrowserContext, address: string): Promise<Sight> {
  const page = await context.newPage()
  try {
    await page.addInitScript(WATCH)
    await page.addInitScript(WATCH_INTERACTIONS)
    await page.goto(address)
    await until(page, 'globalThis.sight.paintedMs > 0')
    await lookAtAll(page)
    await until(page, "!document.querySelector('.tile-content .ui-skeleton')")
    const sight = await readSight(page)
    const used: Response[] = []
    for (const { act } of STEPS) used.push(await respond(page, async () => await act(page)))
    return { ...sight, used }
  } finally {
    await page.close()
  }
}

/** Evaluates through the debugger, because the content security policy of the page blocks other scripts. */
async function until(page: Page, condition: string): Promise<void> {
  const endMs = monotonicMs() + ANSWER_MS_MAX
  while (!(await page.evaluate(condition))) {
    if (monotonicMs() > endMs) throw new Error(`this did not come: ${condition}`)
    await sleep(LOOK_EVERY_MS)
  }
}

/** Scrolls to each tile: it is queried when it is near, and some draw a part of it only when it is visible. */
async function lookAtAll(page: Page): Promise<void> {
  for (const tile of await page.locator('.tile').all()) {
    await tile.scrollIntoViewIfNeeded()
    await sleep(SEEN_MS)
  }
}

async function openMenus(page: Page): Promise<void> {
  for (const tile of (await page.locator('.tile').all()).slice(0, TILES_USED)) {
    await tile.hover()
    await tile.getByRole('button', { name: /^Actions/ }).click()
    await page.keyboard.press('Escape')
  }
}

/** Presses keys, and waits for the answers and drawings of each. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await sleep(KEY_MS)
  }
}

async function readSight(page: Page): Promise<Omit<Sight, 'used'>> {
  return (await page.evaluate(`(() => {
    const { paintedMs, longTasksMs, jumped } = globalThis.sight
    const [answer] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('InsightsService/Query'))
    const answeredMs = answer.responseEnd
    const isLate = ([start, ms]) => start + ms > answeredMs
    const ofLate = longTasksMs.filter(isLate).map(([, ms]) => ms)
    const ofStart = longTasksMs.filter((task) => !isLate(task)).map(([, ms]) => ms)
    return { answeredMs, paintedMs, jumped, longTasksMs: ofLate, startTasksMs: ofStart }
  })()`)) as Omit<Sight, 'used'>
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
