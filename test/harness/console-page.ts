import type { Page, Request } from 'playwright-core'
import { type BrowserLook, openBrowser, type TestBrowser } from './browser.ts'
import { type Credentials, signInAt } from './console-service.ts'
import type { TestService } from './service.ts'

const DESKTOP: BrowserLook = { width: 1280, height: 900, colorScheme: 'light' }

/** A page of the console, with what it asked for and what the browser complained about. */
export interface ConsolePage {
  readonly page: Page
  readonly requests: readonly Request[]
  /** Errors of scripts and of the content security policy, but not the answers that a test provoked. */
  readonly complaints: () => readonly string[]
  readonly browser: TestBrowser
}

/** Opens an empty page in a browser of its own. */
export async function openConsolePage(look: BrowserLook = DESKTOP): Promise<ConsolePage> {
  const browser = await openBrowser(look)
  const page = await browser.context.newPage()
  const requests: Request[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return {
    page,
    requests,
    // That an answer was a refusal the browser reports by itself.
    complaints: () => complaints.filter((text) => !/status of 4\d\d/.test(text)),
    browser,
  }
}

/** Opens the console as somebody. */
export async function openConsoleAs(service: TestService, who: Credentials): Promise<ConsolePage> {
  const opened = await openConsolePage()
  try {
    await signInAt(opened.page, service.url, who)
    return opened
  } catch (thrown) {
    await opened.browser.close()
    throw thrown
  }
}
