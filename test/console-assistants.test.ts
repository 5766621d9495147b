import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { type ConsolePage, openConsolePage, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, startConsoleService } from './harness/console-service.ts'
import { GOOGLE_CLIENT_ID, type GoogleDouble, startGoogleDouble } from './harness/google-double.ts'
import { type HttpDouble, startHttpDouble } from './harness/http-double.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from './harness/identity-provider.ts'
import { type Attempt, authorizeUrl, exchange, prepare, register } from './harness/oauth-assistant.ts'
import type { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const GOOGLE = 'https://accounts.google.com'
const CAROL = { sub: 'carol-1', email: 'carol@example.org', email_verified: true, name: 'Carol' }
const PROGRAM = 'cursor://anysphere.cursor-mcp/oauth/callback'

describe.skipIf(!hasChromium())('an assistant that opens the browser of a member', () => {
  let google: GoogleDouble
  let provider: IdentityProvider
  let assistant: HttpDouble
  let service: TestService
  let opened: ConsolePage
  let page: Page

  beforeAll(async () => {
    google = await startGoogleDouble()
    provider = await startIdentityProvider({ account: CAROL })
    assistant = await startHttpDouble(() => ({ status: 200, body: {} }))
    service = await startConsoleService({
      SERVICE_SIGN_UP: 'open',
      SERVICE_OAUTH_GOOGLE_CLIENT_ID: GOOGLE_CLIENT_ID,
      SERVICE_OAUTH_GOOGLE_KEYS_URL: google.keysUrl,
      SERVICE_OIDC_KEYCLOAK_ISSUER: provider.issuer,
      SERVICE_OIDC_KEYCLOAK_CLIENT_ID: CLIENT_ID,
      SERVICE_OIDC_KEYCLOAK_CLIENT_SECRET: CLIENT_SECRET,
      SERVICE_OIDC_KEYCLOAK_LABEL: 'Company login',
    })
    provider.redirectUris = [`${service.url}/oauth/callback/keycloak`]
  })

  beforeEach(async () => {
    opened = await openConsolePage()
    ;({ page } = opened)
  })

  afterEach(async () => {
    await opened.browser.close()
  })

  afterAll(async () => {
    await service?.destroy()
    await assistant?.stop()
    await provider?.stop()
    await google?.stop()
  })

  /** Registers, and opens the page that asks for the sign-in. */
  const begin = async (redirectUri = `${assistant.url}/callback`): Promise<Attempt> => {
    const metadata = { client_name: 'Editor', redirect_uris: [redirectUri] }
    const registered = await register(service.url, metadata)
    const { client_id } = (await registered.json()) as { readonly client_id: string }
    const attempt = prepare(client_id, { redirect_uri: redirectUri })
    await page.goto(authorizeUrl(service.url, attempt))
    await page.getByLabel('Password').waitFor()
    return attempt
  }

  /** Consents on the page that asks, and expects that the code gives tokens. */
  const consent = async (attempt: Attempt, on = page): Promise<void> => {
    await on.getByRole('heading', { name: 'Connect Editor?' }).waitFor()
    expect(new URL(on.url()).pathname).toBe('/connect')
    await on.getByRole('button', { name: 'Connect', exact: true }).click()
    await on.waitForURL(`${assistant.url}/**`)
    const code = new URL(on.url()).searchParams.get('code') ?? ''
    const redirect_uri = `${assistant.url}/callback`
    expect(await exchange(service.url, attempt, code, { redirect_uri })).toMatchObject({ status: 200 })
  }

  const signIn = async (): Promise<void> => {
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
  }

  test('is answered after a password, on the page that asked for it', async () => {
    const attempt = await begin()
    await signIn()
    await page.getByText('a program on this computer').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await consent(attempt)
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })

  test('with a scheme of its own leaves a page that says where to go on', async () => {
    await begin(PROGRAM)
    await signIn()
    await page.getByText('cursor://anysphere.cursor-mcp, a program on this computer').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('status').getByText('Return to Editor').waitFor()
    const { body } = await service.call('public.auth.v1.AuthService/SignInWithEmail', ADMIN)
    const authorization = `Bearer ${body.token}`
    const listed = await service.call('millrace.account.v1.AssistantsService/List', {}, { authorization })
    expect(JSON.stringify(listed.body)).toContain('cursor://anysphere.cursor-mcp')
  })

  test('is answered after a sign-in with a provider', async () => {
    const attempt = await begin()
    await page.getByRole('button', { name: 'Sign in with Company login' }).click()
    await page.getByRole('link', { name: 'Continue as Carol' }).click()
    await consent(attempt)
  })

  test('is answered after a sign-in with Google', async () => {
    await page.route(`${GOOGLE}/**`, async (route) => {
      const asked = new URL(route.request().url()).searchParams
      const id_token = await google.sign({
        nonce: asked.get('nonce'),
        email: 'dora@example.org',
        sub: 'dora',
      })
      const answer = new URLSearchParams({ state: asked.get('state') ?? '', id_token })
      const body = `<a href="${asked.get('redirect_uri')}#${answer}">Continue as Dora</a>`
      await route.fulfill({ contentType: 'text/html', body })
    })
    const attempt = await begin()
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('link', { name: 'Continue as Dora' }).click()
    await consent(attempt)
  })

  test('is answered in the tab that a link in a mail opens, once', async () => {
    const attempt = await begin()
    await page.getByRole('button', { name: 'Sign in by email link' }).click()
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    // Without a mail server, the log has the link.
    const link = await waitFor(
      'the link',
      () => /http:\/\/[^/\s"]+\/sign-in\?token=[\w-]{43}/.exec(service.output.stderr)?.[0],
    )
    const tab = await opened.browser.context.newPage()
    await tab.goto(link)
    await tab.getByRole('button', { name: 'Continue', exact: true }).click()
    await consent(attempt, tab)
    await tab.goto(`${service.url}/sign-in`)
    await tab.getByRole('navigation', { name: 'Sections' }).waitFor()
  })

  test('that was answered or never asked is over, and leads nowhere', async () => {
    await page.goto(`${service.url}/connect?request=${encodeURIComponent('//evil.example')}`)
    await signIn()
    await page.getByRole('alert').getByText('has expired or was already answered').waitFor()
    expect(page.url().startsWith(service.url)).toBe(true)
  })
})
