import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { LossyProxy } from '../lossy-proxy.ts'
import type { Call, Step } from './browser-session.ts'
import type { Project } from './session-project.ts'

/** Where a session happens. */
export interface Scene {
  readonly page: Page
  /** The address of the site. */
  readonly address: string
  readonly proxy: LossyProxy
  readonly project: Project
}

/** The slowest wait is for the second try of an SDK. */
const STEP_MS_MAX = 60_000

/** Takes the steps of a session, and leaves the last page as a visitor does. */
export async function runSession(steps: readonly Step[], scene: Scene): Promise<void> {
  for (const step of steps) await takeStep(step, scene)
  await scene.page.goto('about:blank')
}

async function takeStep(step: Step, { page, address, proxy, project }: Scene): Promise<void> {
  if ('visit' in step) {
    await page.goto(`${address}${step.visit}`)
    await page.waitForFunction('window.sdk !== undefined')
  } else if ('calls' in step) await page.evaluate(callAll, step.calls)
  else if ('outage' in step) await callInOutage(page, step.outage, proxy)
  else if ('click' in step) await page.click(step.click)
  else if ('until' in step) await page.waitForFunction(step.until)
  else if ('sent' in step) await waitForRequests(step.sent, step.times, proxy)
  else if ('stored' in step) await project.waitForEvents(step.stored)
  else await project.waitForTraits(step.profile)
}

type Methods = { readonly [name: string]: Methods & ((...args: readonly unknown[]) => unknown) }

/**
 * Calls methods of `window.sdk`, each in a turn of its own as the actions of a visitor are: some SDKs add who the user is a turn
 * later. Runs in the page.
 */
async function callAll(calls: readonly Call[]): Promise<void> {
  const { sdk } = globalThis as unknown as { readonly sdk: Methods }
  for (const [path, ...args] of calls) {
    const names = path.split('.')
    const method = names.pop() ?? ''
    const owner = names.reduce((object, name) => object[name] as Methods, sdk)
    if (owner[method] === undefined) throw new Error(`${path} is no method`)
    owner[method](...args)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** The service comes back when it has refused the SDK. */
async function callInOutage(page: Page, calls: readonly Call[], proxy: LossyProxy): Promise<void> {
  const refused = proxy.refuseAll()
  try {
    await page.evaluate(callAll, calls)
    await refused
  } finally {
    proxy.takeAll()
  }
}

/** Preflights, which have no body, are not counted. */
async function waitForRequests(address: RegExp, times: number, { received }: LossyProxy): Promise<void> {
  const count = (): number =>
    received.filter(({ url, body }) => address.test(url.href) && body.length > 0).length
  await expect.poll(count, { timeout: STEP_MS_MAX }).toBeGreaterThanOrEqual(times)
}
