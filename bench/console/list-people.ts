// Interactions with a list of 100,000 people in a browser: from a key, a click or a letter to the next frame.
import type { Page } from 'playwright-core'
import { sleep } from '../../src/kernel/clock.ts'
import { openBrowser } from '../../test/harness/browser.ts'
import { ADMIN, signInAt } from '../../test/harness/console-service.ts'
import { BATCH_CREATE, makeEvent } from '../../test/harness/events.ts'
import { chunk } from '../corpus/fixtures.ts'
import { call } from '../rig/call.ts'
import { runCommand } from '../rig/run-command.ts'
import { type BenchService, startService } from '../rig/service.ts'
import { untilSettled } from '../rig/store.ts'
import type { Teardown } from '../teardown.ts'
import { describeResponses, type Response, respond, WATCH_INTERACTIONS } from './interactions.ts'

const PEOPLE = 100_000
/** Every fifth one has a name; the others are anonymous. */
const NAMED_EACH = 5
const BATCH_EVENTS = 1000
const CALLS_AT_ONCE = 32
const MONTH_MS = 30 * 86_400_000
const ROUNDS = 5
const KEYS = 60
const WHEEL_STEPS = 80
const WHEEL_PX = 700
const WHEEL_EVERY_MS = 16

async function measure(teardown: Teardown): Promise<void> {
  const service = await startService(teardown, {
    SERVICE_BOOTSTRAP_EMAIL: ADMIN.email,
    SERVICE_BOOTSTRAP_PASSWORD: ADMIN.password,
  })
  await sendPeople(service)
  const browser = await openBrowser({ width: 1440, height: 900, colorScheme: 'light' })
  teardown.defer(async () => await browser.close())
  const page = await browser.context.newPage()
  await page.addInitScript(WATCH_INTERACTIONS)
  await signInAt(page, service.url)
  await page.waitForURL(/\/p\/[^/]+\//)
  const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
  const rounds: (readonly Response[])[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const responses = await useList(page, `${base}/people`)
    // The first round warms up.
    if (round > 0) rounds.push(responses)
  }
  STEPS.forEach(({ name }, step) => {
    process.stdout.write(
      describeResponses(
        name,
        rounds.flatMap((responses) => responses[step] ?? []),
      ),
    )
  })
  const [rows, memoryMib] = (await page.evaluate(
    "[document.querySelectorAll('tbody tr').length, performance.memory.usedJSHeapSize / 2 ** 20]",
  )) as [number, number]
  process.stdout.write(`rows in the page ${rows}, heap ${Math.round(memoryMib)} MiB\n`)
}

interface Step {
  readonly name: string
  readonly act: (page: Page) => Promise<void>
}

const STEPS: readonly Step[] = [
  { name: 'scroll', act: scroll },
  { name: 'j', act: async (page) => await pressOften(page, 'j') },
  { name: 'End', act: async (page) => await pressOften(page, 'End') },
  { name: 'Home', act: async (page) => await page.keyboard.press('Home') },
  { name: 'sort by name', act: async (page) => await sortBy(page, 'Person') },
  { name: 'sort by first seen', act: async (page) => await sortBy(page, 'First seen') },
  { name: 'search', act: search },
  { name: 'open and return', act: openFirst },
]

async function useList(page: Page, address: string): Promise<readonly Response[]> {
  await page.goto(address)
  await page.getByText(`${PEOPLE.toLocaleString('en')} people`, { exact: true }).waitFor()
  await rowsOf(page).first().waitFor()
  const responses: Response[] = []
  for (const { act } of STEPS) responses.push(await respond(page, async () => await act(page)))
  return responses
}

function rowsOf(page: Page) {
  return page.locator('tr[data-opens]')
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 600)
  for (let step = 0; step < WHEEL_STEPS; step++) {
    await page.mouse.wheel(0, WHEEL_PX)
    await sleep(WHEEL_EVERY_MS)
  }
}

async function pressOften(page: Page, key: string): Promise<void> {
  for (let press = 0; press < KEYS; press++) await page.keyboard.press(key)
}

async function sortBy(page: Page, column: string): Promise<void> {
  await page.getByRole('columnheader', { name: column, exact: true }).getByRole('button').click()
  await page.locator('.people-card[aria-busy="false"]').waitFor()
}

/** Types an id letter by letter, and clears the field. */
async function search(page: Page): Promise<void> {
  await page.getByRole('searchbox').pressSequentially('person-077', { delay: 60 })
  await page.getByText(/ of 100,000 people match$/).waitFor()
  await page.locator('.people-card[aria-busy="false"]').waitFor()
  await page.getByRole('searchbox').fill('')
  await page.getByText('100,000 people', { exact: true }).waitFor()
}

async function openFirst(page: Page): Promise<void> {
  await rowsOf(page).first().getByRole('link').click()
  await page.locator('.person-crumbs').waitFor()
  await page.goBack()
  await rowsOf(page).first().waitFor()
}

/** Sends one event of each person, in the order of their times, and the names of some, and waits until they are stored. */
async function sendPeople(service: BenchService): Promise<void> {
  const headers = { 'x-api-key': service.privateKey }
  const ids = Array.from({ length: PEOPLE }, (_, at) => `person-${String(at).padStart(6, '0')}`)
  const startMs = Date.now() - MONTH_MS
  const events = ids.map((distinctId, at) =>
    makeEvent({ distinctId, occurTime: new Date(startMs + (at / PEOPLE) * MONTH_MS).toISOString() }),
  )
  for (const batch of chunk(events, BATCH_EVENTS))
    await call(service, BATCH_CREATE, { events: batch }, headers)
  const named = ids.filter((_, at) => at % NAMED_EACH === 0)
  for (const some of chunk(named, CALLS_AT_ONCE)) {
    await Promise.all(
      some.map(async (externalId) => {
        const traits = { name: `Customer ${externalId.slice(7)}`, email: `${externalId}@example.org` }
        await call(service, 'sdk.profiles.v1.ProfilesSDKService/Identify', { externalId, traits }, headers)
      }),
    )
  }
  await untilSettled(service.store, PEOPLE)
}

await runCommand('npm run bench:people-list', measure)
