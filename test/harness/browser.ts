import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** Nothing but the pages that are opened: no updates, no services of the vendor. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser with an empty profile. */
export interface TestBrowser {
  readonly context: BrowserContext
  close(): Promise<void>
}

/** How the pages of a browser look. */
export interface BrowserLook {
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
}

/** Starts Chromium. */
export async function openBrowser(look: BrowserLook): Promise<TestBrowser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('chromium is not installed')
  const profile = mkdtempSync(join(tmpdir(), 'millrace-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: FLAGS,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  return {
    context,
    close: async () => {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
