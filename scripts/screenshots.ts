// Makes a picture of each page of the console, in light and dark, on a desktop and on a phone, in `screenshots/`. It runs a
// service of its own, with generated events. Words after the command choose pages by name.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { type BrowserLook, openBrowser } from '../test/harness/browser.ts'
import { makeTraffic, sendTraffic, signInAt, startConsoleService } from '../test/harness/console-service.ts'

const folder = resolve(import.meta.dirname, '..', 'screenshots')

const LOOKS = {
  'desktop-light': { width: 1280, height: 860, colorScheme: 'light' },
  'desktop-dark': { width: 1280, height: 860, colorScheme: 'dark' },
  'phone-light': { width: 360, height: 740, colorScheme: 'light' },
  'phone-dark': { width: 360, height: 740, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserLook>

/** A page, by its place below the project, and what has to be there. */
interface Shot {
  readonly name: string
  readonly place: string
  readonly ready: string
}

const insight = (name: string, spec: object, ready: string, range = 'LAST_14_DAYS'): Shot => ({
  name,
  place: `insights?${new URLSearchParams({ spec: JSON.stringify(spec), range })}`,
  ready,
})

const events = (...kinds: readonly string[]): object[] => kinds.map((kind) => ({ event: { kind } }))

const SHOTS: readonly Shot[] = [
  { name: 'live', place: 'live', ready: '.event-list' },
  insight(
    'trends',
    {
      insightType: 'INSIGHT_TYPE_TRENDS',
      events: events('page_view'),
      breakdowns: [{ property: '$browser' }],
    },
    '.uplot',
  ),
  insight(
    'funnel',
    {
      insightType: 'INSIGHT_TYPE_FUNNEL',
      events: events('page_view', 'sign_up', 'purchase'),
      includeStepTiming: true,
    },
    '.bars',
  ),
  insight('retention', { insightType: 'INSIGHT_TYPE_RETENTION', events: events('page_view') }, '.matrix'),
  insight('flow', { insightType: 'INSIGHT_TYPE_USER_FLOW', userFlow: { maxHops: 3 } }, '.sankey canvas'),
  insight('countries', { insightType: 'INSIGHT_TYPE_MAP', map: {} }, '.bars'),
  { name: 'dashboards', place: 'dashboards', ready: 'h1' },
  { name: 'people', place: 'people', ready: 'h1' },
  { name: 'settings', place: 'settings', ready: 'h1' },
]

async function shoot(page: Page, base: string, look: string, shots: readonly Shot[]): Promise<void> {
  for (const { name, place, ready } of shots) {
    await page.goto(`${base}/${place}`)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: look.startsWith('phone') })
  }
}

const chosen = process.argv.slice(2)
const shots = SHOTS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
mkdirSync(folder, { recursive: true })
const service = await startConsoleService()
try {
  await sendTraffic(service, makeTraffic(Date.now()))
  for (const [look, options] of Object.entries(LOOKS)) {
    const browser = await openBrowser(options)
    try {
      const page = await browser.context.newPage()
      await page.goto(service.url)
      await page.getByLabel('Email').waitFor()
      if (chosen.length === 0) await page.screenshot({ path: join(folder, `sign-in-${look}.png`) })
      await signInAt(page, service.url)
      await page.waitForURL(/\/p\/[^/]+\/live/)
      const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
      await shoot(page, base, look, shots)
    } finally {
      await browser.close()
    }
  }
} finally {
  await service.destroy()
}
process.stdout.write(`the pictures are in ${folder}\n`)
