import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { BATCH_CREATE, type JsonEvent, makeEvent } from './events.ts'
import { TestService } from './service.ts'
import { waitFor } from './wait.ts'

/** An account that signs in by password. */
export interface Credentials {
  readonly email: string
  readonly password: string
}

/** The account of the services of console tests. */
export const ADMIN = { email: 'ada@example.org', password: 'correct horse battery' } as const

/** Starts a service whose first account is {@link ADMIN}. */
export async function startConsoleService(
  extra: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  return await TestService.start({
    SERVICE_BOOTSTRAP_EMAIL: ADMIN.email,
    SERVICE_BOOTSTRAP_PASSWORD: ADMIN.password,
    ...extra,
  })
}

const COUNTRIES = ['DE', 'FR', 'US', 'BR', 'JP', 'KE'] as const
const BROWSERS = ['Firefox', 'Chrome', 'Safari'] as const
const JOURNEY = ['page_view', 'sign_up', 'add_to_cart', 'purchase'] as const
const HOUR_MS = 3_600_000
const USERS = 60

/** A fixed sequence of numbers in [0, 1): the same data in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One of a list, by a number in [0, 1). */
function pick<T>(list: readonly [T, ...T[]], share: number): T {
  return list[Math.floor(share * list.length)] ?? list[0]
}

/** Ten days of users who look, sign up, buy, and return. */
export function makeTraffic(nowMs: number): readonly JsonEvent[] {
  const random = createRandom(7)
  const visits = Array.from({ length: USERS }, (_, user) => {
    const visitCount = 1 + Math.floor(random() * 4)
    return Array.from({ length: visitCount }, () => ({
      user,
      startMs: nowMs - random() * 240 * HOUR_MS - 60_000,
    }))
  }).flat()
  return visits.flatMap(({ user, startMs }) => {
    const stepCount = 1 + Math.floor(random() ** 1.6 * JOURNEY.length)
    const visit = {
      distinctId: user % 3 === 0 ? `customer-${user}` : `anon-${user}`,
      sessionId: randomUUID(),
      autoProperties: {
        $country: { stringValue: pick(COUNTRIES, user / USERS) },
        $browser: { stringValue: pick(BROWSERS, random()) },
        $url: { stringValue: `https://example.org/${pick(['pricing', 'docs', 'blog'], random())}` },
      },
    }
    return JOURNEY.slice(0, stepCount).map((kind, step) =>
      makeEvent({
        ...visit,
        kind,
        occurTime: new Date(Math.min(nowMs, Math.trunc(startMs) + step * 90_000)).toISOString(),
        customProperties: {
          price: { doubleValue: Math.round(random() * 100) },
          plan: { stringValue: 'pro' },
        },
      }),
    )
  })
}

/** Sends events and some profiles, and waits until all of them count. */
export async function sendTraffic(service: TestService, events: readonly JsonEvent[]): Promise<void> {
  const { status, body } = await service.call(BATCH_CREATE, { events })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const identified = [...new Set(events.map(({ distinctId }) => String(distinctId)))].filter((id) =>
    id.startsWith('customer-'),
  )
  for (const externalId of identified) {
    const traits = { name: `Customer ${externalId.slice(9)}`, plan: 'pro' }
    await service.call('sdk.profiles.v1.ProfilesSDKService/Identify', { externalId, traits })
  }
  await waitFor('the events to count', async () => {
    const answer = await service.call(
      'shared.insights.v1.InsightsService/Query',
      {
        spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION' },
        granularity: 'GRANULARITY_MONTH',
        timeRange: { from: '2020-01-01T00:00:00Z', to: '2029-01-01T00:00:00Z' },
      },
      { 'cache-control': 'no-cache' },
    )
    const { total = 0 } = (answer.body.segmentation ?? {}) as { readonly total?: number }
    return total >= events.length ? true : undefined
  })
}

/** Signs in by the form. */
export async function signInAt(page: Page, url: string, who: Credentials = ADMIN): Promise<void> {
  await enterPassword(page, url, who)
  await page.getByRole('navigation', { name: 'Sections' }).waitFor()
}

/** Sends the form to sign in. */
export async function enterPassword(page: Page, url: string, who: Credentials = ADMIN): Promise<void> {
  await page.goto(url)
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}
