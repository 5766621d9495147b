import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium } from '../../harness/chromium.ts'
import { createProject } from '../../harness/new-project.ts'
import { TestService } from '../../harness/service.ts'
import { type LossyProxy, startLossyProxy } from '../lossy-proxy.ts'
import { AMPLITUDE_SESSION } from './amplitude-session.ts'
import type { BrowserSession, Form, Step } from './browser-session.ts'
import { expectSession } from './expect-session.ts'
import { MIXPANEL_SESSION } from './mixpanel-session.ts'
import { PLAUSIBLE_SESSION } from './plausible-session.ts'
import { POSTHOG_SESSION } from './posthog-session.ts'
import { runSession } from './run-session.ts'
import { RUDDERSTACK_SESSION, SEGMENT_SESSION } from './segment-sessions.ts'
import { Project } from './session-project.ts'
import { startSite } from './site.ts'
import { UMAMI_SESSION } from './umami-session.ts'

const SESSIONS: readonly BrowserSession[] = [
  POSTHOG_SESSION,
  MIXPANEL_SESSION,
  SEGMENT_SESSION,
  RUDDERSTACK_SESSION,
  AMPLITUDE_SESSION,
  PLAUSIBLE_SESSION,
  UMAMI_SESSION,
]

const CALLS_MIN = 200

const SESSION_MS_MAX = 300_000

describe.skipIf(!hasChromium())('a lost answer and an outage change nothing', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    ;[service, browser] = await Promise.all([TestService.start(), launchChromium()])
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
  })

  for (const session of SESSIONS)
    test(`in a session of ${session.name}`, { timeout: SESSION_MS_MAX }, async () => {
      expect(countCalls(session.steps)).toBeGreaterThanOrEqual(CALLS_MIN)
      const created = await createProject(service, session.name)
      const project = new Project(service, created)
      const proxy = await startLossyProxy(service.url, (path) => session.lost.test(path))
      const start = session.start({ url: proxy.url, key: created.publicKey })
      const site = await startSite(`${await session.script()}\n;${start}`)
      const context = await browser.newContext()
      try {
        const elsewhere = await denyOthers(context)
        const page = await context.newPage()
        await runSession(session.steps, { page, address: site.url, proxy, project })
        await expectSession(project, session)
        expect(proxy.lost.size).toBeGreaterThan(0)
        expect(formsOf(proxy)).toEqual(expect.arrayContaining([...(session.forms ?? [])]))
        expect(elsewhere).toEqual([])
      } finally {
        await context.close()
        await site.stop()
        await proxy.stop()
      }
    })
})

/** Requests that went neither to the site nor to the service. The others are not intercepted: those at the end of a page would be lost. */
async function denyOthers(context: BrowserContext): Promise<readonly string[]> {
  const elsewhere: string[] = []
  const isOther = ({ protocol, hostname }: URL): boolean =>
    /^https?:$/.test(protocol) && hostname !== '127.0.0.1' && !hostname.endsWith('.localhost')
  await context.route(isOther, async (route) => {
    elsewhere.push(route.request().url())
    await route.abort()
  })
  return elsewhere
}

function formsOf({ received }: LossyProxy): readonly Form[] {
  const isGzip = received.some(({ body }) => body[0] === 0x1f && body[1] === 0x8b)
  const isBeacon = received.some((request) => request.isBeacon)
  return [...(isGzip ? (['gzip'] as const) : []), ...(isBeacon ? (['beacon'] as const) : [])]
}

function countCalls(steps: readonly Step[]): number {
  const calls = steps.flatMap((step) => ('calls' in step ? step.calls : 'outage' in step ? step.outage : []))
  return calls.length
}
