import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findSystemTool, hasSystemTool } from './system-tool.ts'

/** Debian's Chromium without the parts that draw windows, which start several times as fast. */
const HEADLESS_SHELL = 'chromium-headless-shell'

/** The browser of the tests; `undefined` when none is installed. */
export function findChromium(): string | undefined {
  return findSystemTool(HEADLESS_SHELL) ?? findSystemTool('chromium')
}

/** Whether the tests of the browser can run here. */
export function hasChromium(): boolean {
  return findSystemTool('chromium') !== undefined || hasSystemTool(HEADLESS_SHELL, HEADLESS_SHELL)
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The pages of the tests are on no machine, and call one on this.
  '--disable-features=LocalNetworkAccessChecks',
]

/** Starts the browser with an empty profile. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? ''
  return await chromium.launch({ executablePath, args: FLAGS, headless: true })
}

/** A page of a site that does not exist: every path of it answers with this document. */
export async function serveSite(context: BrowserContext, site: string, head: string): Promise<void> {
  const body = `<!doctype html><title>Site</title>${head}`
  await context.route(`${site}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/favicon.ico') return await route.fulfill({ status: 404 })
    await route.fulfill({ contentType: 'text/html', body })
  })
}

/** Opens a page and waits until the snippet is there. */
export async function openPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  await page.waitForFunction('window.millrace && window.millrace.track')
  return page
}
