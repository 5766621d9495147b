import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import {
  type ConsolePage,
  openConsolePage,
  openProject,
  signInProgram,
  withoutRefusals,
} from './harness/console-page.ts'
import { startConsoleService } from './harness/console-service.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { PUBLIC_KEY, type TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const LIST = 'millrace.ingest.v1.WarningsService/List'

/** Pictures of the page for people to look at; none without it. */
const PICTURES = process.env.WARNINGS_SCREENSHOTS

describe.skipIf(!hasChromium())('ingestion warnings in the console', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base: string
  let program: Record<string, string>

  beforeAll(async () => {
    service = await startConsoleService()
    opened = await openConsolePage()
    page = opened.page
    base = await openProject(page, service.url)
    program = await signInProgram(service, base)
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}\\b`) })
  const drawer = (name: string) => page.getByRole('complementary', { name })
  const keepPicture = async (name: string): Promise<void> => {
    if (!PICTURES) return
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
  const choose = async (label: string, option: string): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  /** Sends what is dropped, changed and refused, and waits until the service lists it. */
  const send = async (): Promise<void> => {
    const properties = { $lib: 'posthog-node', $lib_version: '5.70.0', plan: 'platinum' }
    const batch = [
      { event: 'Profile Saved', distinct_id: 'ann', properties: { ...properties, bio: 'x'.repeat(2000) } },
      { event: 'Profile Saved', distinct_id: 'ann', properties: { ...properties, bio: 'x'.repeat(3000) } },
      { event: 'Signed Up', properties },
      { event: '$groupidentify', distinct_id: 'ann', properties },
    ]
    await fetch(`${service.url}/posthog/batch`, {
      method: 'POST',
      body: JSON.stringify({ api_key: PUBLIC_KEY, batch }),
    })
    await service.call(BATCH_CREATE, { events: [makeEvent({ kind: 'not a kind' })] })
    await waitFor('the warnings', async () => {
      const { body } = await service.call(LIST, {}, program)
      return body.totalCount === 4 ? true : undefined
    })
  }

  test('a project without warnings says that everything was stored', async () => {
    await page.goto(`${base}/data`)
    await page.getByRole('tab', { name: 'Warnings' }).click()
    await page.getByText('Everything that arrived in this period was stored as it was sent.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await keepPicture('empty')
  })

  test('a warning names its reason, its SDK and its count, and opens with what to do and a marked sample', async () => {
    await send()
    await page.reload()
    await row('Text cut').getByText('posthog-node 5.70.0').waitFor()
    expect(await row('Text cut').getByRole('cell').nth(3).textContent()).toBe('2')
    expect(await findBarriers(page)).toEqual([])
    await row('Text cut').getByRole('button').click()
    await drawer('Text cut').getByText('Send shorter texts.').waitFor()
    expect(await drawer('Text cut').locator('mark').allTextContents()).toEqual([
      expect.stringContaining('"bio": "text of 2000 characters"'),
    ])
    expect(await drawer('Text cut').textContent()).not.toContain('platinum')
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await drawer('Text cut').getByText('Send shorter texts.').waitFor()
    await page.keyboard.press('Escape')
    await drawer('Text cut').waitFor({ state: 'detached' })
  })

  test('a refused request names the field and its rule', async () => {
    await row('Invalid event').getByRole('button').click()
    await drawer('Invalid event').getByText('events[0].kind').waitFor()
    await drawer('Invalid event').getByText('must match').waitFor()
    await page.keyboard.press('Escape')
  })

  test('the list is filtered, and its address has the filters', async () => {
    await choose('Source', 'Millrace')
    await row('Text cut').waitFor({ state: 'detached' })
    await row('Invalid event').waitFor()
    await choose('What happened', 'Changed')
    await page.getByText('No warnings match the filters').waitFor()
    await choose('Source', 'Any source')
    await row('Text cut').waitFor()
    await page.getByText('Last 7 days').click()
    expect(new URL(page.url()).searchParams.toString()).toContain('hours=168')
    await page.reload()
    await row('Text cut').waitFor()
    expect(await row('No ID').count()).toBe(0)
    await choose('What happened', 'Any result')
    await row('No ID').waitFor()
  })

  test('the dictionary is as it was beside it', async () => {
    await page.getByRole('tab', { name: 'Events' }).click()
    await page.getByRole('button', { name: 'Export CSV' }).waitFor()
    await page.getByRole('tab', { name: 'Warnings' }).click()
    await row('Text cut').waitFor()
    expect(await page.getByRole('button', { name: 'Export CSV' }).count()).toBe(0)
  })

  test('a warning is readable beside the list in both themes', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await keepPicture('list')
    await row('Text cut').getByRole('button').click()
    await drawer('Text cut').locator('mark').waitFor()
    await keepPicture('drawer')
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer('Text cut').waitFor({ state: 'detached' })
  })

  test('the page fits narrow screens, and reports no errors', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await row('Text cut').waitFor()
    await expectToFit(page, 'the list')
    await keepPicture('phone')
    await row('Text cut').getByRole('button').click()
    await page.getByRole('dialog', { name: 'Text cut' }).locator('mark').waitFor()
    await expectToFit(page, 'a warning')
    expect(await findBarriers(page)).toEqual([])
    await keepPicture('phone-drawer')
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })
})
