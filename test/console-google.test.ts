import type { JWTPayload } from 'jose'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { callAs, firstOrganisation } from './harness/console-colleague.ts'
import { type ConsolePage, openConsolePage, signOutOf, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, startConsoleService } from './harness/console-service.ts'
import { GOOGLE_CLIENT_ID, type GoogleDouble, startGoogleDouble } from './harness/google-double.ts'
import type { TestService } from './harness/service.ts'

const GOOGLE = 'https://accounts.google.com'
const ENDPOINT = '/console/session/CompleteOAuthSignIn'

/** The redirect from Google's sign-in page back to the console. */
type SendBack = (asked: URLSearchParams) => Promise<Readonly<Record<string, string>>>

describe.skipIf(!hasChromium())('sign-in with Google', () => {
  let service: TestService
  let google: GoogleDouble
  let opened: ConsolePage
  let page: Page
  let sendBack: SendBack

  beforeAll(async () => {
    google = await startGoogleDouble()
    service = await startConsoleService({
      SERVICE_SIGN_UP: 'open',
      SERVICE_OAUTH_GOOGLE_CLIENT_ID: GOOGLE_CLIENT_ID,
      SERVICE_OAUTH_GOOGLE_KEYS_URL: google.keysUrl,
    })
  })

  beforeEach(async () => {
    opened = await openConsolePage()
    page = opened.page
    await page.route(`${GOOGLE}/**`, async (route) => {
      const asked = new URL(route.request().url()).searchParams
      const answer = new URLSearchParams(await sendBack(asked))
      const body = `<a href="${asked.get('redirect_uri')}#${answer}">Continue as Carol</a>`
      await route.fulfill({ contentType: 'text/html', body })
    })
  })

  afterEach(async () => {
    await opened.browser.close()
  })

  afterAll(async () => {
    await service?.destroy()
    await google?.stop()
  })

  const withToken =
    (claims: JWTPayload = {}): SendBack =>
    async (asked) => ({
      state: asked.get('state') ?? '',
      id_token: await google.sign({ nonce: asked.get('nonce'), ...claims }),
    })
  const goThroughGoogle = async (): Promise<void> => {
    await page.goto(service.url)
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('link', { name: 'Continue as Carol' }).click()
  }
  const sentTokens = () => opened.requests.filter((request) => request.url().endsWith(ENDPOINT))

  test('requests only an ID token of Google, signs in with it, and stores none of it', async () => {
    let asked = new URLSearchParams()
    sendBack = async (query) => {
      asked = query
      return await withToken()(query)
    }
    await page.goto(service.url)
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await goThroughGoogle()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: GOOGLE_CLIENT_ID,
      response_type: 'id_token',
      scope: 'openid email profile',
      redirect_uri: `${service.url}/sign-in`,
      nonce: expect.stringMatching(/^[0-9a-f]{48}$/),
      state: expect.stringMatching(/^[0-9a-f]{48}$/),
    })
    expect(page.url()).toMatch(/\/p\/[^/#]+\/overview$/)
    // The first run keeps its public key, which can only send.
    const stored = await page.evaluate(
      'JSON.stringify([...Object.keys(localStorage), ...Object.keys(sessionStorage)])',
    )
    expect(
      JSON.parse(String(stored)).filter((name: string) => !name.startsWith('millrace.public-key.')),
    ).toEqual([])
    await page.getByText('carol@example.org').waitFor()
  })

  test('navigates to Google, and loads nothing from there', async () => {
    sendBack = withToken()
    await goThroughGoogle()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    const foreign = opened.requests.filter((request) => !request.url().startsWith(service.url))
    expect(foreign.map((request) => [new URL(request.url()).origin, request.resourceType()])).toEqual([
      [GOOGLE, 'document'],
    ])
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })

  test('a refusal is shown with the request id', async () => {
    sendBack = withToken({ email_verified: false })
    await goThroughGoogle()
    await page.getByRole('alert').getByText('Request').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in another way' }).click()
    await page.getByLabel('Password').waitFor()
  })

  test.each<[string, SendBack]>([
    ['a token for another tab', withToken({ nonce: 'another' })],
    ['an answer for another tab', async (asked) => ({ ...(await withToken()(asked)), state: 'another' })],
    ['a refusal', async (asked) => ({ state: asked.get('state') ?? '', error: 'access_denied' })],
    ['no token', async (asked) => ({ state: asked.get('state') ?? '', id_token: 'none' })],
  ])('%s does not sign in, and is not sent to the service', async (_, answer) => {
    sendBack = answer
    await goThroughGoogle()
    await page.getByRole('alert').waitFor()
    expect(sentTokens()).toEqual([])
  })

  test('continues to the organisation of an invitation', async () => {
    sendBack = withToken()
    await goThroughGoogle()
    await page.getByRole('navigation', { name: 'Sections' }).waitFor()
    await signOutOf(page)
    // No mail server is set, so that the admin gets a link, which opens no account.
    const body = {
      orgId: await firstOrganisation(service),
      email: 'carol@example.org',
      role: 'ORG_ROLE_VIEWER',
    }
    const invite = { method: 'dashboard.orgs.v1.OrgsService/InviteMember', body }
    const { link } = await callAs(service, ADMIN, invite)
    await page.goto(String(link))
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByText('You already have an account. Sign in to join.').waitFor()
    await page.getByRole('button', { name: 'Sign in with Google' }).click()
    await page.getByRole('link', { name: 'Continue as Carol' }).click()
    await page.getByText('You joined Default').waitFor()
  })

  test('a forged link does not sign in', async () => {
    const token = await google.sign({ nonce: 'n' })
    await page.goto(`${service.url}/sign-in#state=s&id_token=${token}`)
    await page.getByRole('alert').getByText('belongs to another tab').waitFor()
    expect(page.url()).toBe(`${service.url}/sign-in`)
    expect(sentTokens()).toEqual([])
  })
})
