import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Charts follow the width of the window a moment later. */
const SETTLE_MS_MAX = 10_000

/** Expects that nothing of the page stands beyond the right edge of the window. */
export async function expectToFit(page: Page, what?: string): Promise<void> {
  const width = page.viewportSize()?.width
  await expect
    .poll(async () => await page.evaluate('document.documentElement.scrollWidth'), {
      timeout: SETTLE_MS_MAX,
      ...(what !== undefined && { message: what }),
    })
    .toBe(width)
}
