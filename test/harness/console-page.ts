import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Page, Request } from 'playwright-core'
import { type BrowserLook, openBrowser, type TestBrowser } from './browser.ts'
import { ADMIN, type Credentials, signInAt } from './console-service.ts'
import type { TestService } from './service.ts'

const DESKTOP: BrowserLook = { width: 1280, height: 900, colorScheme: 'light' }

/** Compression gains nothing for smaller files. */
const SMALL_BYTES = 512

/** A page of the console, with its requests and console errors. */
export interface ConsolePage {
  readonly page: Page
  readonly browser: TestBrowser
  readonly requests: readonly Request[]
  /** Errors of scripts, and what the browser reports, as breaches of the content security policy. */
  readonly complaints: readonly string[]
}

/** Opens an empty page, on which nothing happens unseen, in a separate browser. */
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
  return { page, browser, requests, complaints }
}

/** The complaints without those that say that an answer was a refusal, which browsers report by themselves. */
export function withoutRefusals(complaints: readonly string[]): readonly string[] {
  return complaints.filter((text) => !/status of 4\d\d/.test(text))
}

/** Opens the console as a user. */
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

/** Signs in on a page. Answers the address of the project, without a slash at its end. */
export async function openProject(page: Page, url: string): Promise<string> {
  await signInAt(page, url)
  await page.waitForURL(/\/p\/[^/]+\/overview/)
  const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
  return base
}

/** Chooses another project in the menu of projects. */
export async function switchProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Switch project/ }).click()
  await page.getByRole('button', { name, exact: true }).click()
}

/** Signs out in the menu of the account. */
export async function signOutOf(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
}

/** Headers with which programs speak for the first account, in the project of an address. */
export async function signInProgram(service: TestService, base: string): Promise<Record<string, string>> {
  const { body } = await service.call('public.auth.v1.AuthService/SignInWithEmail', ADMIN)
  return { authorization: `Bearer ${body.token}`, 'x-project-id': base.slice(base.lastIndexOf('/') + 1) }
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

/** Bytes of the scripts, and of the styles and fonts, of some requests as browsers get them. */
export async function weigh(
  requests: readonly Request[],
): Promise<{ readonly script: number; readonly looks: number }> {
  const sumOf = async (...types: readonly string[]): Promise<number> => {
    const urls = requests.filter((one) => types.includes(one.resourceType())).map((one) => one.url())
    const sizes = await Promise.all(
      [...new Set(urls)].map(async (url) =>
        url.endsWith('.woff2')
          ? (await (await fetch(url)).arrayBuffer()).byteLength
          : await countCompressedBytes(url),
      ),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  return { script: await sumOf('script'), looks: await sumOf('stylesheet', 'font') }
}
