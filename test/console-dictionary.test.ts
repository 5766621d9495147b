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
import type { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const DICTIONARY = 'millrace.dictionary.v1.DictionaryService'
const KINDS = ['signup', 'sign_up', 'noise', 'login', 'purchase'] as const

/** What a test reads of a line of text; tests are compiled without the types of browsers. */
interface Line {
  readonly scrollWidth: number
  readonly clientWidth: number
}

describe.skipIf(!hasChromium())('the data dictionary in the console', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base: string
  let program: Record<string, string>

  beforeAll(async () => {
    service = await startConsoleService()
    const occurTime = new Date(Date.now() - 60_000).toISOString()
    await service.call(BATCH_CREATE, { events: KINDS.map((kind) => makeEvent({ kind, occurTime })) })
    opened = await openConsolePage()
    page = opened.page
    base = await openProject(page, service.url)
    program = await signInProgram(service, base)
    await waitFor('the names', async () => {
      const { totalCount } = await ask('ListEvents', {})
      return totalCount === KINDS.length ? true : undefined
    })
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  const ask = async (method: string, request: object): Promise<Readonly<Record<string, unknown>>> =>
    (await service.call(`${DICTIONARY}/${method}`, request, program)).body
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}\\b`) })
  const drawer = (name: string) => page.getByRole('complementary', { name })
  const importFile = async (csv: string): Promise<void> =>
    await page
      .getByLabel('Import CSV')
      .setInputFiles({ name: 'dictionary.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })

  test('an event is described, and found by its description after a pause in typing', async () => {
    await page.goto(`${base}/data`)
    await row('login').getByRole('button').click()
    await drawer('login').getByLabel('Display name').fill('Signed in')
    await drawer('login').getByLabel('Description').fill('Came back to the shop')
    await drawer('login').getByLabel('Owner').fill('Growth')
    expect(await findBarriers(page)).toEqual([])
    await button('Save').click()
    await row('Signed in').getByText('Growth').waitFor()
    await page.keyboard.press('Escape')
    const asked = (): number => opened.requests.filter((one) => one.url().endsWith('/ListEvents')).length
    const before = asked()
    await page.getByLabel('Search names').pressSequentially('back to')
    await row('noise').waitFor({ state: 'detached' })
    await row('Signed in').waitFor()
    expect(asked() - before).toBeLessThan('back to'.length)
    await page.getByLabel('Search names').fill('')
    await row('noise').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('near-duplicates are merged, and counted separately again', async () => {
    await page.getByText('These events may be the same').waitFor()
    await button('Merge').click()
    await page.getByText('These events may be the same').waitFor({ state: 'detached' })
    const { events } = await ask('ListEvents', {})
    const { mergedNames, name } = (events as readonly { name: string; mergedNames?: string[] }[]).find(
      (one) => one.mergedNames,
    ) ?? { name: '', mergedNames: [] }
    expect([name, ...(mergedNames ?? [])].toSorted()).toEqual(['sign_up', 'signup'])
    await row(name).getByRole('button').click()
    await drawer(name).getByText('Counts events of').waitFor()
    await button('Count separately').click()
    await drawer(name).getByText('Counts events of').waitFor({ state: 'detached' })
    await page.getByText('These events may be the same').waitFor()
    await page.keyboard.press('Escape')
  })

  test('an event is merged into one that is searched for', async () => {
    await row('noise').getByRole('button').click()
    await drawer('noise')
      .getByRole('button', { name: /^Count as another event/ })
      .click()
    await page.getByRole('combobox').fill('sig')
    await page.getByRole('option', { name: /^purchase/ }).waitFor({ state: 'detached' })
    expect(await page.getByRole('option', { name: /^noise/ }).count()).toBe(0)
    await page.getByRole('option', { name: /^signup/ }).click()
    await drawer('noise').getByRole('button', { name: 'Merge', exact: true }).click()
    await drawer('noise').getByText('Counts as signup').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await drawer('noise').getByRole('button', { name: 'Count separately' }).click()
    await drawer('noise').getByText('Counts as signup').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  })

  test.each([
    ['Hidden', 'purchase', 'Left out of pickers'],
    ['Blocked', 'noise', 'New events are dropped when they arrive'],
  ])('the state %s names its effect, and selects names', async (state, name, effect) => {
    await row(name).getByRole('button').click()
    await drawer(name)
      .getByRole('button', { name: /^State/ })
      .click()
    await page.getByRole('option', { name: state }).click()
    await drawer(name).getByText(effect).waitFor()
    await button('Save').click()
    await row(name).getByText(state).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^State/ }).click()
    await page.getByRole('option', { name: state }).click()
    await row('login').waitFor({ state: 'detached' })
    await row(name).waitFor()
    await page.getByRole('button', { name: /^State/ }).click()
    await page.getByRole('option', { name: 'Any state' }).click()
    await row('Signed in').waitFor()
  })

  test('a wrong row of a file is named, and nothing is imported; a corrected file is', async () => {
    await importFile('type,name,owner\nevent,signup,Sales\nshape,square,Sales\n')
    await page.getByText('The file was not imported; nothing has changed').waitFor()
    await page.getByText(/row 3/i).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await row('signup').getByText('Sales').count()).toBe(0)
    await importFile('type,name,owner\nevent,signup,Sales\n')
    await page.getByText('1 name changed').waitFor()
    await row('signup').getByText('Sales').waitFor()
  })

  test('a long name is whole while there is room: its kind and description give way', async () => {
    const name = 'A name of an event that takes half of the row or so'
    const description = 'What the event means to those who read about it. '.repeat(5)
    await page.goto(`${base}/data`)
    await importFile(`type,name,display_name,description\nevent,purchase,${name},${description}\n`)
    const shown = row(name).locator('.dictionary-name > *')
    await shown.first().waitFor()
    const isCut = await shown.evaluateAll((parts: readonly Line[]) =>
      parts.map((one) => one.scrollWidth > one.clientWidth + 1),
    )
    expect(isCut).toEqual([false, expect.any(Boolean), true])
    await importFile('type,name,display_name,description\nevent,purchase,,\n')
    await row('purchase').waitFor()
  })

  test('a name that is unknown has its error, and nothing that loads', async () => {
    await page.goto(`${base}/data?name=unknown`)
    await drawer('unknown').getByRole('alert').waitFor()
    expect(await drawer('unknown').locator('[aria-busy="true"]').count()).toBe(0)
    await page.goto(`${base}/data`)
  })

  test('the page fits narrow screens, and reports no errors', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page, 'the list')
    await row('signup').getByRole('button').click()
    await page.getByRole('dialog', { name: 'signup' }).getByLabel('Owner').waitFor()
    await expectToFit(page, 'an event')
    expect(await findBarriers(page)).toEqual([])
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })
})
