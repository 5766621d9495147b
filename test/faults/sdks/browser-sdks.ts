import type { Browser, Page } from 'playwright-core'
import { monotonicMs, sleep } from '../../../src/kernel/clock.ts'
import { AMPLITUDE_SESSION } from '../../dialects/browser/amplitude-session.ts'
import type { BrowserSession } from '../../dialects/browser/browser-session.ts'
import { MIXPANEL_SESSION } from '../../dialects/browser/mixpanel-session.ts'
import { POSTHOG_SESSION } from '../../dialects/browser/posthog-session.ts'
import { RUDDERSTACK_SESSION, SEGMENT_SESSION } from '../../dialects/browser/segment-sessions.ts'
import { startSite } from '../../dialects/browser/site.ts'
import { launchChromium } from '../../harness/chromium.ts'
import { PUBLIC_KEY } from '../../harness/service.ts'
import type { Rig } from '../rig.ts'
import { kindOfSdk, type OpenSdk, type SdkFleet, type StartSdk } from './node-sdks.ts'
import { runSdkFaults, type SdkFaultRun, type SdkFaultSummary } from './run-sdk-faults.ts'

/** How an SDK is called. */
interface BrowserSdk {
  readonly session: BrowserSession
  /** The method that sends an event. */
  readonly send: string
  /** The method that names the visitor. */
  readonly signIn: string
  /** Whether it repeats what was lost with a connection; otherwise an expression that is true when it has nothing left to send. */
  readonly broken: 'repeats' | { readonly isIdle: string }
}

/** The SDKs for browsers that send again after a failure. */
export const BROWSER_SDKS = {
  posthog_js: { session: POSTHOG_SESSION, send: 'capture', signIn: 'identify', broken: 'repeats' },
  segment_js: { session: SEGMENT_SESSION, send: 'track', signIn: 'identify', broken: 'repeats' },
  rudderstack_js: { session: RUDDERSTACK_SESSION, send: 'track', signIn: 'identify', broken: 'repeats' },
  amplitude_js: { session: AMPLITUDE_SESSION, send: 'track', signIn: 'setUserId', broken: 'repeats' },
  mixpanel_js: {
    session: MIXPANEL_SESSION,
    send: 'track',
    signIn: 'identify',
    broken: { isIdle: 'sdk.request_batchers.events.queue.memQueue.length === 0' },
  },
} as const satisfies Record<string, BrowserSdk>

const EVENT_MS = 100

/** The delays between the tries of several SDKs double: the last one may come as long after an outage as that took. */
const CLOSE_MS_MAX = 180_000

/** Runs random faults while the SDKs send, each from a page of its own. */
export async function runBrowserSdkFaults(rig: Rig, run: SdkFaultRun): Promise<SdkFaultSummary> {
  const browser = await launchChromium()
  try {
    return await runSdkFaults(rig, { ...run, fleet: fleetOf(browser) })
  } finally {
    await browser.close()
  }
}

function fleetOf(browser: Browser): SdkFleet {
  const started = Object.entries(BROWSER_SDKS).map(([name, sdk]): readonly [string, StartSdk] => [
    name,
    async (url, hasArrived) => await openSdk(browser, { name, sdk, url, hasArrived }),
  ])
  const repeating = Object.entries(BROWSER_SDKS).filter(([, { broken }]) => broken === 'repeats')
  return {
    sdks: Object.fromEntries(started),
    eventMs: EVENT_MS,
    repeating: repeating.map(([name]) => name),
    userOf: visitorOf,
  }
}

/** The one visitor of an SDK, who is signed in from the beginning. */
function visitorOf(name: string): string {
  return `visitor-of-${name}`
}

interface Opened {
  readonly name: string
  readonly sdk: BrowserSdk
  readonly url: string
  hasArrived(): boolean
}

async function openSdk(browser: Browser, { name, sdk, url, hasArrived }: Opened): Promise<OpenSdk> {
  const start = sdk.session.start({ url, key: PUBLIC_KEY })
  const site = await startSite(`${await sdk.session.script()}\n;${start}`)
  const page = await browser.newPage()
  await page.goto(site.url)
  await page.waitForFunction('window.sdk !== undefined')
  const call = async (method: string, ...args: readonly unknown[]): Promise<void> => {
    await page.evaluate(`void window.sdk.${method}(...${JSON.stringify(args)})`)
  }
  await call(sdk.signIn, visitorOf(name))
  const calls: Promise<void>[] = []
  return {
    send: (number) => void calls.push(call(sdk.send, kindOfSdk(name), { number })),
    close: async () => {
      await Promise.all(calls)
      const giveUpMs = monotonicMs() + CLOSE_MS_MAX
      while (!hasArrived() && !(await hasNothingLeft(page, sdk)) && monotonicMs() < giveUpMs) await sleep(50)
      await page.close()
      await site.stop()
    },
  }
}

async function hasNothingLeft(page: Page, { broken }: BrowserSdk): Promise<boolean> {
  return broken !== 'repeats' && (await page.evaluate<boolean>(broken.isIdle))
}
