import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { type ConsolePage, openConsolePage, signOutOf, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, signInAt, startConsoleService } from './harness/console-service.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from './harness/identity-provider.ts'
import type { TestService } from './harness/service.ts'

const CAROL = { sub: 'carol-1', email: 'carol@acme.example', email_verified: true, name: 'Carol' }
const ADA = { sub: 'ada-1', email: ADMIN.email, email_verified: true, name: 'Ada' }
const BUTTON = { name: 'Sign in with Company login' }

describe.skipIf(!hasChromium())('sign-in with a provider in a browser', () => {
  let provider: IdentityProvider
  let service: TestService
  let opened: ConsolePage
  let page: Page

  beforeAll(async () => {
    provider = await startIdentityProvider({ account: CAROL })
    service = await startConsoleService({
      SERVICE_SIGN_UP: 'open',
      SERVICE_OIDC_KEYCLOAK_ISSUER: provider.issuer,
      SERVICE_OIDC_KEYCLOAK_CLIENT_ID: CLIENT_ID,
      SERVICE_OIDC_KEYCLOAK_CLIENT_SECRET: CLIENT_SECRET,
      SERVICE_OIDC_KEYCLOAK_LABEL: 'Company login',
      SERVICE_OIDC_KEYCLOAK_DOMAINS: 'acme.example',
    })
    provider.redirectUris = [`${service.url}/oauth/callback/keycloak`]
  })

  beforeEach(async () => {
    provider.account = CAROL
    provider.misbehaviour = {}
    opened = await openConsolePage()
    ;({ page } = opened)
  })

  afterEach(async () => {
    await opened.browser.close()
  })

  afterAll(async () => {
    await service?.destroy()
    await provider?.stop()
  })

  const goThrough = async (name = 'Carol'): Promise<void> => {
    await page.getByRole('button', BUTTON).click()
    await page.getByRole('link', { name: `Continue as ${name}` }).click()
  }

  test('signs in by the whole way, keeps no secret in the page, and stays signed in', async () => {
    await page.goto(service.url)
    await page.getByRole('button', BUTTON).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await goThrough()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    expect(page.url()).toMatch(/\/p\/[^/#?]+\/overview$/)
    const stored = JSON.parse(
      String(await page.evaluate('JSON.stringify([...Object.values(sessionStorage), document.cookie])')),
    )
    // The first run keeps its public key, which can only send.
    expect(stored.filter((value: string) => !value.startsWith('pub_'))).toEqual([''])
    const cookies = await opened.browser.context.cookies(`${service.url}/console/session/x`)
    const own = cookies.filter(({ name }) => name.startsWith('millrace_'))
    expect(own.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual(
      ['millrace_attempt', 'millrace_session'].map((name) => ({ name, httpOnly: true, sameSite: 'Strict' })),
    )
    await page.reload()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })

  test('shows on the sign-in page why it was refused, and offers the other ways', async () => {
    provider.account = { ...CAROL, sub: 'dora-1', email: 'dora@example.org', email_verified: false }
    await page.goto(service.url)
    await goThrough()
    await page.getByRole('alert').getByText('The provider has not verified your email address.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(page.url()).toBe(`${service.url}/oauth/callback/keycloak`)
    await page.getByRole('button', { name: 'Sign in another way' }).click()
    await page.getByLabel('Password').waitFor()
    expect(page.url()).toBe(`${service.url}/sign-in`)
  })

  test('a response does not work in another browser, nor twice', async () => {
    await page.goto(service.url)
    const callbacks: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/oauth/callback/') && request.isNavigationRequest())
        callbacks.push(request.url())
    })
    await goThrough()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    const [callback = ''] = callbacks
    await page.goto(callback)
    await page.getByRole('alert').getByText('This sign-in was used already').waitFor()
    const stranger = await openConsolePage()
    await stranger.page.goto(callback)
    await stranger.page.getByRole('alert').getByText('started in another browser').waitFor()
    await stranger.browser.close()
  })

  test('a password is refused for a domain of the provider, and the reason is shown', async () => {
    await page.goto(service.url)
    await page.getByLabel('Email').fill('carol@acme.example')
    await page.getByLabel('Password').fill('any password')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('alert').getByText('sign in with the provider of their company only').waitFor()
    await page.getByRole('button', { name: 'Sign in by email link' }).click()
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('alert').getByText('sign in with the provider of their company only').waitFor()
  })

  test('a provider that is down is named as the cause', async () => {
    provider.misbehaviour = {
      answer: ({ path, response }) => {
        response.status = 503
        return path === '/token'
      },
    }
    await page.goto(service.url)
    await goThrough()
    await page.getByRole('alert').getByText('The sign-in provider cannot be reached').waitFor()
  })

  test('an account is connected in its settings, signs in, and is disconnected', async () => {
    provider.account = ADA
    await page.goto(service.url)
    await goThrough('Ada')
    await page.getByRole('alert').getByText('is not connected to this provider').waitFor()
    await signInAt(page, service.url)
    await page.goto(`${page.url().replace(/\/overview.*$/, '')}/settings/account`)
    // The user is still signed in at the provider, which returns at once.
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText(`${ADMIN.email}, last used`).waitFor()
    expect(page.url()).toMatch(/\/settings\/account$/)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('cell', { name: 'Company login' }).waitFor()
    await signOutOf(page)
    await page.getByRole('button', BUTTON).click()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    await page.goto(`${page.url().replace(/\/overview.*$/, '')}/settings/account`)
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    // The session began with the provider, and ends with it.
    await page.getByRole('button', BUTTON).click()
    await page.getByRole('alert').getByText('is not connected to this provider').waitFor()
  })

  test('a logout at the provider ends the session', async () => {
    await page.goto(service.url)
    await goThrough()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    await provider.logOut(`${service.url}/oauth/logout/keycloak`, {
      sub: CAROL.sub,
      sid: 'of-another-session',
    })
    await page.reload()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    await provider.logOut(`${service.url}/oauth/logout/keycloak`, {
      sub: CAROL.sub,
      sid: provider.lastSession,
    })
    await page.reload()
    await page.getByRole('button', BUTTON).waitFor()
  })
})
