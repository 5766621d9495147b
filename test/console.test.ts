import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from './harness/browser.ts'
import { ADMIN, makeTraffic, sendTraffic, signInAt, startConsoleService } from './harness/console-service.ts'
import type { TestService } from './harness/service.ts'
import { hasSystemTool } from './harness/system-tool.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Compressed bytes of script that the first page may need. */
const SCRIPT_BYTES_MAX = 200_000

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly string[]
}

/** Bytes of a file as browsers get it. */
async function countCompressedBytes(url: string): Promise<number> {
  const [response] = (await once(get(url, { headers: { 'accept-encoding': 'br' } }), 'response')) as [
    IncomingMessage,
  ]
  expect(response.headers['content-encoding']).toBe('br')
  let byteCount = 0
  for await (const chunk of response) byteCount += (chunk as Buffer).length
  return byteCount
}

/** What axe-core finds that is serious or worse, in light and in dark. */
async function findBarriers(page: Page): Promise<readonly Finding[]> {
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

describe.skipIf(!hasSystemTool('chromium', 'chromium'))('the console', () => {
  let service: TestService
  let browser: TestBrowser
  let page: Page
  const requests: Request[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    service = await startConsoleService()
    browser = await openBrowser({ width: 1280, height: 900, colorScheme: 'light' })
    page = await browser.context.newPage()
    page.on('request', (request) => requests.push(request))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
  })

  test('signs in, keeps nothing that a script could read, and has no barrier', async () => {
    await page.goto(service.url)
    await page.getByLabel('Email').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await signInAt(page, service.url)
    const [cookie] = (await browser.context.cookies()).filter(({ name }) => name === 'millrace_session')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console/session' })
    expect(await page.evaluate('document.cookie + JSON.stringify([localStorage, sessionStorage])')).toBe(
      '[{},{}]',
    )
  })

  test('a page that is loaded again is still signed in', async () => {
    await page.reload()
    await page.getByRole('heading', { name: 'Send the first event' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('the first page needs little script', async () => {
    const scripts = requests.filter((request) => request.resourceType() === 'script')
    const urls = [...new Set(scripts.map((request) => request.url()))]
    const sizes = await Promise.all(urls.map(countCompressedBytes))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(10_000)
    expect(total).toBeLessThan(SCRIPT_BYTES_MAX)
  })

  test('the first event turns the page into the live view', async () => {
    await sendTraffic(service, makeTraffic(Date.now()))
    await page.getByRole('heading', { name: 'Live' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Kind').selectOption('purchase')
    await page
      .getByRole('button', { name: /purchase/ })
      .first()
      .click()
    const drawer = page.getByRole('dialog', { name: 'purchase' })
    await drawer.getByText('$country').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
  })

  test('signing out ends the session', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Email').waitFor()
    await page.reload()
    await page.getByLabel('Email').waitFor()
    expect((await browser.context.cookies()).map(({ name }) => name)).not.toContain('millrace_session')
  })

  test('a wrong password is refused with the id of the request', async () => {
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('Request').waitFor()
  })

  test('no page asked another host, threw, or broke the content security policy', () => {
    expect(requests.filter((request) => !request.url().startsWith(service.url))).toEqual([])
    // The refused sign-in is an error that the browser reports by itself.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
  })
})
