import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOrganisationId } from '../src/contract/ids.ts'
import { PasswordHasher } from '../src/control/auth/password-hasher.ts'
import { type Catalog, openCatalog } from '../src/store/catalog/catalog.ts'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { addMember } from './harness/console-callers.ts'
import { type ConsolePage, openConsolePage, signOutOf, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, enterPassword, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import type { TestService } from './harness/service.ts'
import { codeAt } from './harness/totp-codes.ts'

const GRACE = { email: 'grace@example.org', password: 'another correct horse' } as const
const CODE = 'Code from the app'
const ANY_CODE = 'Code from the app, or a recovery code'

describe.skipIf(!hasChromium())('a second factor in a browser', () => {
  let service: TestService
  let catalog: Catalog
  let opened: ConsolePage
  let page: Page
  let secret = ''
  /** The codes that are left of the admin. */
  let recoveryCodes: string[] = []

  beforeAll(async () => {
    service = await startConsoleService()
    catalog = openCatalog(service)
    const { id } = await catalog.selectFrom('organisations').select('id').executeTakeFirstOrThrow()
    await addMember(catalog, { organisationId: asOrganisationId(id), email: GRACE.email, role: 'member' })
    await catalog
      .updateTable('customers')
      .set({ password_hash: await new PasswordHasher().hash(GRACE.password) })
      .where('email', '=', GRACE.email)
      .execute()
  })

  afterAll(async () => {
    await catalog?.destroy()
    await service?.destroy()
  })

  beforeEach(async () => {
    opened = await openConsolePage()
    ;({ page } = opened)
  })

  afterEach(async () => {
    expect(withoutRefusals(opened.complaints)).toEqual([])
    await opened.browser.close()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const openSettings = async (title: string): Promise<void> => {
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Settings', exact: true })
      .click()
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: title }).click()
  }
  const home = async (): Promise<void> => await page.getByRole('navigation', { name: 'Sections' }).waitFor()
  /** Sets up the app, and saves the recovery codes. */
  const setUp = async (): Promise<{ readonly secret: string; readonly codes: string[] }> => {
    await button('Set up').click()
    const key = await page.getByLabel('Key, if you cannot scan').inputValue()
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel(CODE, { exact: true }).fill('000000')
    await button('Turn on').click()
    await page.getByText('The code is wrong or was used before.').waitFor()
    await page.getByLabel(CODE, { exact: true }).fill(codeAt(key, Date.now()))
    await button('Turn on').click()
    const list = page.getByRole('region', { name: 'Recovery codes' })
    await list.getByText('Save these recovery codes now').waitFor()
    const codes = await list.locator('code').allInnerTexts()
    expect(await findBarriers(page)).toEqual([])
    await button('I have saved them').click()
    return { secret: key, codes }
  }
  const signInWithRecoveryCode = async (): Promise<void> => {
    await enterPassword(page, service.url)
    await button('Use a recovery code').click()
    await page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes.pop() ?? '')
    await button('Continue').click()
    await home()
  }

  test('is set up in the settings of the account, in the dark and on a phone too', async () => {
    await enterPassword(page, service.url)
    await home()
    await openSettings('Account')
    ;({ secret, codes: recoveryCodes } = await setUp())
    expect(recoveryCodes).toHaveLength(10)
    await page.getByText('10 recovery codes left').waitFor()
    // The page is at an address.
    await page.getByText(/^Passkeys work at http:\/\/localhost:\d+ only/).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expectToFit(page)
  })

  test('is asked for at the sign-in, and keeps its step out of reach of scripts', async () => {
    await enterPassword(page, service.url)
    await page.getByText('Enter the code that your authenticator app shows.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    const cookies = await opened.browser.context.cookies(`${service.url}/console/session/x`)
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'millrace_second_factor', httpOnly: true, sameSite: 'Strict' },
    ])
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await button('Continue').click()
    await page.getByRole('alert').getByText('The code is wrong or was used before.').waitFor()
    // The code of the set-up may be that of now.
    await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now(), 1))
    await button('Continue').click()
    await home()
    await signOutOf(page)
    await signInWithRecoveryCode()
    await page.reload()
    await home()
  })

  test('is asked for again before a private key is created', async () => {
    await signInWithRecoveryCode()
    await catalog.updateTable('refresh_sessions').set({ factor_ms: 1 }).execute()
    await openSettings('API keys')
    await page.getByLabel('Name', { exact: true }).fill('Server')
    await page.getByRole('button', { name: /^Kind/ }).click()
    await page.getByRole('option', { name: /^Private/ }).click()
    await button('Create key').click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel(ANY_CODE).fill(recoveryCodes.pop() ?? '')
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    const card = page.getByRole('region', { name: /^Copy this key now/ })
    expect(await card.getByRole('textbox').inputValue()).toMatch(/^prv_/)
  })

  test('is required by an organisation, whose members are led to the set-up', async () => {
    await signInWithRecoveryCode()
    await openSettings('Projects')
    await page.getByRole('switch', { name: 'Require a second factor for all members' }).check()
    await expect
      .poll(async () => await catalog.selectFrom('organisations').select('second_factor_required').execute())
      .toEqual([{ second_factor_required: 1 }])
    expect(await findBarriers(page)).toEqual([])
    const stranger = await openConsolePage()
    const { page: own } = opened
    try {
      ;({ page } = stranger)
      await enterPassword(page, service.url, GRACE)
      await page.getByRole('heading', { name: /requires a second factor$/ }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      const { codes } = await setUp()
      expect(codes).toHaveLength(10)
      await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    } finally {
      await stranger.browser.close()
      page = own
    }
  })

  test('of a member is reset by an admin', async () => {
    await signInWithRecoveryCode()
    await openSettings('Members')
    await page.getByRole('button', { name: `Reset the second factor of ${GRACE.email}` }).click()
    const dialog = page.getByRole('dialog', { name: `Reset the second factor of ${GRACE.email}?` })
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
    await page
      .getByRole('row', { name: new RegExp(GRACE.email) })
      .getByText('Off')
      .waitFor()
    const rows = await catalog
      .selectFrom('totp_factors')
      .innerJoin('customers', 'customers.id', 'totp_factors.customer_id')
      .select('email')
      .execute()
    expect(rows).toEqual([{ email: ADMIN.email }])
  })

  test('is a passkey, which opens the locked projects, signs in and steps up', async () => {
    const { credentials } = await addAuthenticator(page)
    await enterPassword(page, atLocalhost(), GRACE)
    await page.getByRole('heading', { name: /requires a second factor$/ }).waitFor()
    await button('Add a passkey').click()
    await page.getByLabel('Name of the passkey').fill('Laptop')
    expect(await findBarriers(page)).toEqual([])
    await button('Continue').click()
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor()
    expect(await credentials()).toHaveLength(1)
    await button('I have saved them').click()
    await home()

    await signOutOf(page)
    await enterPassword(page, atLocalhost(), GRACE)
    await page.getByText('Confirm with a passkey of your account.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Use a passkey').click()
    await home()

    await catalog.updateTable('refresh_sessions').set({ factor_ms: 1 }).execute()
    await openSettings('Account')
    const passkeys = page.getByRole('region', { name: 'Passkeys', exact: true })
    await passkeys.getByText('Laptop').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
    await passkeys.getByLabel('Name of the passkey').fill('Laptop again')
    await passkeys.getByRole('button', { name: 'Continue' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('already has a passkey of the account').waitFor()
    const [signed] = await credentials()
    expect(signed?.signCount).toBeGreaterThan(1)
    const rows = await catalog.selectFrom('passkeys').select(['display_name', 'sign_count']).execute()
    expect(rows).toEqual([{ display_name: 'Laptop', sign_count: signed?.signCount }])
  })

  /** Passkeys work at the host name of the service only, which is no address. */
  const atLocalhost = (): string => service.url.replace('127.0.0.1', 'localhost')
})

/** Gives a page an authenticator whose user always agrees. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}
