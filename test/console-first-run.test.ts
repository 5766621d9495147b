import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { type ConsolePage, openConsolePage, signInProgram, withoutRefusals } from './harness/console-page.ts'
import { signInAt, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import type { TestService } from './harness/service.ts'

const TITLE = 'Send your first event'
const PROJECTS = 'dashboard.projects.v1.ProjectsService'
const PUBLIC_KEY = /pub_[A-Za-z0-9_-]{20,}/

/** Programs that run the samples of the page, by the name of the sample. */
const RUNNERS = {
  'Node.js': { way: 'Server', command: [process.execPath, '--input-type=module', '-e'] },
  Python: { way: 'Server', command: ['python3', '-c'] },
  Shell: { way: 'curl', command: ['bash', '-c'] },
} as const

describe.skipIf(!hasChromium())('the first run', () => {
  let service: TestService
  let console: ConsolePage
  const samples = new Map<string, string>()

  beforeAll(async () => {
    service = await startConsoleService()
    console = await openConsolePage()
    await signInAt(console.page, service.url)
    await console.page.getByRole('heading', { name: TITLE }).waitFor()
  })

  afterAll(async () => {
    await console?.browser.close()
    await service?.destroy()
  })

  const codeOf = async (label: string): Promise<string> =>
    await console.page.getByRole('region', { name: label, exact: true }).innerText()
  /** The address of the live view of a project without events. */
  const addProject = async (): Promise<string> => {
    const headers = { ...(await signInProgram(service, baseOf())), 'x-api-key': '' }
    const { body } = await service.call('dashboard.orgs.v1.OrgsService/List', {}, headers)
    const [{ id: orgId } = {}] = body.orgs as readonly { readonly id: string }[]
    const made = await service.call(`${PROJECTS}/Create`, { orgId, displayName: 'Empty' }, headers)
    return `${service.url}/p/${(made.body.project as { readonly id: string }).id}/live`
  }
  const baseOf = (): string => /^.*\/p\/[^/]+/.exec(console.page.url())?.[0] ?? ''

  test('shows a snippet with a key of the project and the address of the service', async () => {
    await console.page.getByText(/^Public key of .+, already filled in$/).waitFor()
    const text = await codeOf('HTML')
    expect(text).toContain(`src="${service.url}/sdk.js"`)
    expect(PUBLIC_KEY.exec(text)).not.toBeNull()
    expect(await console.page.locator('main').innerText()).not.toContain('first start')
    expect(await findBarriers(console.page)).toEqual([])
  })

  test('keeps the key when the page is loaded again, and creates no other', async () => {
    const [before] = PUBLIC_KEY.exec(await codeOf('HTML')) ?? []
    await console.page.reload()
    await console.page.getByText('already filled in').waitFor()
    expect(PUBLIC_KEY.exec(await codeOf('HTML'))?.[0]).toBe(before)
    const { body } = await service.call(
      `${PROJECTS}/ListApiKeys`,
      {},
      { ...(await signInProgram(service, baseOf())), 'x-api-key': '' },
    )
    const names = (body.apiKeys as readonly { readonly displayName: string }[]).map((key) => key.displayName)
    expect(names.filter((name) => name === 'First steps')).toHaveLength(1)
  })

  test('changes the snippet with its switches', async () => {
    const { page } = console
    await page.getByRole('switch', { name: 'Page views' }).uncheck()
    await page.getByRole('switch', { name: 'Cookieless' }).check()
    const text = await codeOf('HTML')
    expect(text).toContain('data-page-views="manual"')
    expect(text).toContain('data-consent="denied"')
    await page.getByRole('switch', { name: 'Page views' }).check()
    await page.getByRole('switch', { name: 'Cookieless' }).uncheck()
    expect(await codeOf('HTML')).not.toMatch(/data-page-views|data-consent/)
  })

  test('copies a sample, and confirms it on the button', async () => {
    const { page, browser } = console
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy: HTML' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe((await codeOf('HTML')).trimEnd())
  })

  test('checks that the service is reachable and that the key is active', async () => {
    await console.page.getByText('Service is reachable').waitFor()
    await console.page.getByText('Key is active').waitFor()
  })

  test('fits a phone', async () => {
    const { page } = console
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test.each(Object.entries(RUNNERS))('has a sample for %s with the key', async (label, { way }) => {
    const { page } = console
    await page.getByRole('radio', { name: way }).check()
    const tab = page.getByRole('tab', { name: label })
    if (way === 'Server') await tab.click()
    const text = await codeOf(label)
    expect(PUBLIC_KEY.exec(text)).not.toBeNull()
    samples.set(label, text)
    expect(await findBarriers(page)).toEqual([])
  })

  test('shows what changes in the code of another SDK, and where it is documented', async () => {
    const { page } = console
    await page.getByRole('radio', { name: /^SDK you have/ }).check()
    await page.getByRole('heading', { name: 'Record what people do' }).waitFor({ state: 'detached' })
    const [key = ''] = PUBLIC_KEY.exec(await codeOf('PostHog')) ?? []
    expect(key).not.toBe('')
    const addresses = {
      PostHog: '/posthog',
      Mixpanel: '/mixpanel',
      Segment: '/segment',
      RudderStack: '/segment',
      Amplitude: '/amplitude/2/httpapi',
      Plausible: `/plausible/${key}/api/event`,
      Umami: `/umami/${key}`,
      OpenPanel: '/openpanel',
      GA4: `/ga4/mp/collect?api_secret=${key}`,
    }
    for (const [vendor, path] of Object.entries(addresses)) {
      await page.getByRole('tab', { name: vendor }).click()
      expect(await codeOf(vendor), vendor).toContain(`${service.url}${path}`)
      const href = await page.getByRole('link', { name: `What works with ${vendor}` }).getAttribute('href')
      expect(existsSync(resolve(import.meta.dirname, '..', `${href?.slice(1)}.md`)), vendor).toBe(true)
    }
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Copy: GA4' }).click()
    await page.getByText('Copied').waitFor()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).not.toContain('google-analytics')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('turns into the first event when it arrives, and leads on to a first chart', async () => {
    const { page } = console
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('The first event has arrived').waitFor()
    await page.getByText('test_event').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Insights' }).first().click()
    await page.getByRole('button', { name: 'New insight' }).click()
    await page.getByRole('menuitem', { name: 'Trends' }).click()
    // The service takes a browser without a window for a bot.
    await page.getByRole('button', { name: 'Count bots' }).click()
    await page.locator('.uplot').first().waitFor()
  })

  test.each(
    Object.entries(RUNNERS).filter(([, { command }]) => spawnSync(command[0], ['--version']).status === 0),
  )('the sample for %s sends an event that is accepted', (label, { command }) => {
    const [program, ...words] = command
    const { status, stdout } = spawnSync(program, [...words, samples.get(label) ?? ''], { encoding: 'utf8' })
    expect({ status, stdout: stdout.trim() }).toEqual({
      status: 0,
      stdout: expect.stringContaining('{"accepted":1'),
    })
  })

  test('fills a demo project in one click, which has a banner and goes again', async () => {
    const { page } = console
    await page.goto(await addProject())
    await page.getByRole('button', { name: 'Load demo data' }).click()
    const banner = page.getByText('This project contains generated demo data.')
    await banner.waitFor({ timeout: 60_000 })
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete demo data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete demo data' })
    await dialog.getByRole('button', { name: 'Delete demo data' }).click()
    await banner.waitFor({ state: 'detached' })
  })

  test('causes no console errors and no requests to other hosts', () => {
    expect(console.requests.filter((request) => !request.url().startsWith(service.url))).toEqual([])
    expect(withoutRefusals(console.complaints)).toEqual([])
  })
})

describe.skipIf(!hasChromium())('the first run without an active key', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startConsoleService()
  })

  afterAll(async () => await service?.destroy())

  test('shows why a key is rejected, and creates another in another tab', async () => {
    const { page, browser } = await openConsolePage()
    try {
      await signInAt(page, service.url)
      await page.getByText('Key is active').waitFor()
      const base = /^.*\/p\/[^/]+/.exec(page.url())?.[0] ?? ''
      const headers = { ...(await signInProgram(service, base)), 'x-api-key': '' }
      const { body } = await service.call(`${PROJECTS}/ListApiKeys`, {}, headers)
      const keys = body.apiKeys as readonly { readonly displayName: string; readonly id: string }[]
      const { id } = keys.find(({ displayName }) => displayName === 'First steps') ?? {}
      const other = await browser.context.newPage()
      await other.goto(page.url())
      await other.getByRole('button', { name: 'Create a new key' }).click()
      await other.getByText('Key is active').waitFor()
      await service.call(`${PROJECTS}/DeleteApiKey`, { id }, headers)
      await page.getByText('Key is rejected').waitFor()
      await page
        .getByText(/API key/i)
        .first()
        .waitFor()
    } finally {
      await browser.close()
    }
  })
})
