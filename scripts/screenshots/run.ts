// Takes a picture of every page of the console, in light and dark, on a desktop and on a phone, in `screenshots/`. It runs a
// service of its own, with the demo project. Words after the command choose screens and themes by their names and pages by the
// beginning of theirs: `npm run screenshots -- live tablet dark`.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openConsolePage } from '../../test/harness/console-page.ts'
import { type Credentials, signInAt, startConsoleService } from '../../test/harness/console-service.ts'
import type { TestService } from '../../test/harness/service.ts'
import { fillDemo } from './fill-demo.ts'
import { fillSettings } from './fill-settings.ts'
import { type Places, SHOTS, type Shot } from './shots.ts'

const folder = resolve(import.meta.dirname, '..', '..', 'screenshots')

const SCREENS = {
  wide: { width: 1920, height: 1080 },
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
  narrow: { width: 360, height: 740 },
  /** A desktop at 200 %. */
  zoomed: { width: 720, height: 450 },
} as const

type Screen = keyof typeof SCREENS

/** The screens of a run whose words choose none. */
const USUAL_SCREENS: readonly Screen[] = ['desktop', 'phone']

const THEMES = ['light', 'dark'] as const

type Theme = (typeof THEMES)[number]

/** A page that still loads after this time is drawn as it is, and reported. */
const SETTLE_MS = 12_000

/** A page may go on listening after this time. */
const IDLE_MS = 2000

/** A list without end is cut. */
const HEIGHT_MAX = 5000

/** Narrower screens are those of phones. */
const PHONE_PX = 768

/** Transitions end, and canvases are drawn in the colours of a theme. */
const PAINT_MS = 350

/** The number of elements of the window that are shown while something loads; those below it may load once they are visible. */
const COUNT_LOADING = `[...document.querySelectorAll('.ui-skeleton, .skeleton, [aria-busy="true"]')].filter((part) => {
  const { top, bottom, height } = part.getBoundingClientRect()
  return part.checkVisibility() && height > 0 && bottom > 0 && top < innerHeight
}).length`

/** Failures of pages, by the name of their picture. */
const problems: string[] = []

async function settle(page: Page, { name, isLoading }: Pick<Shot, 'name' | 'isLoading'>): Promise<void> {
  if (isLoading) return await delay(PAINT_MS)
  const startedMs = performance.now()
  while (Number(await page.evaluate(COUNT_LOADING)) > 0) {
    if (performance.now() - startedMs > SETTLE_MS) {
      problems.push(`${name}: still loading after ${SETTLE_MS / 1000} s`)
      break
    }
    await delay(100)
  }
  await delay(PAINT_MS)
}

/** Makes the window as high as the page, so that what stays at its edges is at those of the picture. */
async function showAll(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({
    width: size.width,
    height: Math.min(HEIGHT_MAX, Math.max(size.height, height)),
  })
}

async function shoot(
  page: Page,
  shot: Shot,
  view: {
    readonly url: string
    readonly screen: string
    readonly isPhone: boolean
    readonly themes: readonly Theme[]
  },
): Promise<void> {
  const name = `${shot.name}-${view.screen}`
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(view.url)
  // A page that listens for news is never idle.
  await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(() => undefined)
  await settle(page, { name })
  const fullPage = shot.isWhole === true || (view.isPhone && !shot.act)
  const before = fullPage ? page.viewportSize() : null
  if (before) await showAll(page, before)
  try {
    await shot.act?.(page)
  } catch (thrown) {
    const [reason = ''] = String(thrown).split('\n')
    problems.push(`${name}: ${reason}`)
  }
  for (const colorScheme of view.themes) {
    await page.emulateMedia({ colorScheme })
    await settle(page, { ...shot, name })
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  }
  await page.unrouteAll()
  if (before) await page.setViewportSize(before)
}

/** The path of the first person of the list, as its link gives it. */
async function findPerson(page: Page, url: string): Promise<string> {
  await page.goto(url)
  const link = page.locator('main a[href*="/people/"]').first()
  await link.waitFor()
  const href = (await link.getAttribute('href')) ?? ''
  return href.slice(href.indexOf('/people/') + '/people/'.length)
}

/** What the words of the command choose. */
interface Choice {
  readonly shots: readonly Shot[]
  readonly screens: readonly Screen[]
  readonly themes: readonly Theme[]
}

async function shootAll(
  service: TestService,
  guest: Credentials,
  { shots, screens, themes }: Choice,
): Promise<void> {
  const { page, browser, complaints } = await openConsolePage({ ...SCREENS.desktop, colorScheme: 'light' })
  const onScreens = async (some: readonly Shot[], places: Places | undefined): Promise<void> => {
    for (const screen of screens) {
      const size = SCREENS[screen]
      await page.setViewportSize(size)
      for (const shot of some) {
        const url = `${service.url}${places ? shot.path(places) : '/sign-in'}`
        await shoot(page, shot, { url, screen, isPhone: size.width < PHONE_PX, themes })
      }
    }
  }
  try {
    await page.goto(service.url)
    await page.getByLabel('Email').waitFor()
    await onScreens([{ name: 'sign-in', path: () => '/sign-in' }], undefined)
    await page.setViewportSize(SCREENS.desktop)
    await signInAt(page, service.url)
    await page.waitForURL(/\/p\/[^/]+\/overview/)
    const [, emptyProjectId = ''] = /\/p\/([^/]+)/.exec(page.url()) ?? []
    const demo = await fillDemo(service)
    const person = await findPerson(page, `${service.url}/p/${demo.projectId}/people`)
    const places = { ...demo, emptyProjectId, person }
    await onScreens(
      shots.filter(({ isOfGuest }) => !isOfGuest),
      places,
    )
    await page.context().clearCookies()
    await page.setViewportSize(SCREENS.desktop)
    await signInAt(page, service.url, guest)
    await onScreens(
      shots.filter(({ isOfGuest }) => isOfGuest),
      places,
    )
  } finally {
    await browser.close()
  }
  problems.push(...new Set(complaints))
}

function choose(words: readonly string[]): Choice {
  const isScreen = (word: string): word is Screen => Object.hasOwn(SCREENS, word)
  const screens = words.filter(isScreen)
  const themes = THEMES.filter((theme) => words.includes(theme))
  const names = words.filter((word) => !isScreen(word) && !themes.some((theme) => theme === word))
  return {
    screens: screens.length === 0 ? USUAL_SCREENS : screens,
    themes: themes.length === 0 ? THEMES : themes,
    shots: SHOTS.filter(({ name }) => names.length === 0 || names.some((word) => name.startsWith(word))),
  }
}

const choice = choose(process.argv.slice(2))
if (choice.shots.length === 0)
  throw new Error(`no page has such a name; there are ${SHOTS.map(({ name }) => name).join(', ')}`)
mkdirSync(folder, { recursive: true })
const service = await startConsoleService()
try {
  await shootAll(service, await fillSettings(service), choice)
} finally {
  await service.destroy()
}
process.stdout.write(`the pictures are in ${folder}\n`)
for (const problem of problems) process.stdout.write(`${problem}\n`)
