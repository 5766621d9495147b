import type { Page } from 'playwright-core'

/** A page jumps when its shifts, as browsers count them, sum up to more. */
export const SHIFT_MAX = 0.01

/** Begins to count how far the things of a page that was just loaded jump, from its beginning. */
export async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) throw new Error('it cannot be counted')
    globalThis.layoutShift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.layoutShift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })()`)
}

/** How far things jumped until the page had nothing left to load. */
export async function readShift(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle')
  // Entries come in a separate task, after the frame that they are about.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )
  return (await page.evaluate('globalThis.layoutShift')) as number
}
