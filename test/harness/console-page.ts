import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Page, Request } from 'playwright-core'
import { type BrowserLook, openBrowser, type TestBrowser } from './browser.ts'
import { ADMIN, signInAt } from './console-service.ts'
import type { TestService } from './service.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Compression gains nothing for smaller files. */
const SMALL_BYTES = 512

/** A rule of axe-core that a page breaks. */
export interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly string[]
}

/** What axe-core finds that is serious or worse, in light and in dark. */
export async function findBarriers(page: Page): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Through the debugger, which the content security policy of the page does not bind.
    await page.evaluate(AXE)
    const found = await page.evaluate(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`)
    findings.push(...(found as readonly Finding[]))
  }
  return findings
}

/** Bytes of a file as browsers get it. */
export async function countCompressedBytes(url: string): Promise<number> {
  const request = get(url, { headers: { 'accept-encoding': 'br' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let byteCount = 0
  for await (const chunk of response) byteCount += (chunk as Buffer).length
  const isCompressed = response.headers['content-encoding'] === 'br'
  if (!isCompressed && byteCount > SMALL_BYTES) throw new Error(`${url} is not compressed`)
  return byteCount
}

/** A page of the console, and what it asked and complained about. */
export interface ConsolePage {
  readonly page: Page
  readonly browser: TestBrowser
  readonly requests: readonly Request[]
  /** Errors of scripts, and what the browser reports, as breaches of the content security policy. */
  readonly complaints: readonly string[]
}

/** Opens a page that nothing happens on unseen. */
export async function openConsolePage(look: BrowserLook): Promise<ConsolePage> {
  const browser = await openBrowser(look)
  const page = await browser.context.newPage()
  const requests: Request[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, browser, requests, complaints }
}

/** Signs in on a page. Answers the address of the project, without a slash at its end. */
export async function openProject(page: Page, url: string): Promise<string> {
  await signInAt(page, url)
  await page.waitForURL(/\/p\/[^/]+\/live/)
  const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
  return base
}

/** Headers with which programs speak for the first account, in the project of an address. */
export async function signInProgram(service: TestService, base: string): Promise<Record<string, string>> {
  const { body } = await service.call('public.auth.v1.AuthService/SignInWithEmail', ADMIN)
  return { authorization: `Bearer ${body.token}`, 'x-project-id': base.slice(base.lastIndexOf('/') + 1) }
}

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
  // Entries come in a task of their own, after the frame that they are about.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )
  return (await page.evaluate('globalThis.layoutShift')) as number
}
