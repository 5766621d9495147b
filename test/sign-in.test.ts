import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCatalog } from '../src/store/catalog/catalog.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { expectAfterChange } from './harness/expect-after-change.ts'
import { hasPostgres, type LocalPostgres, startLocalPostgres } from './harness/local-postgres.ts'
import { PUBLIC_KEY, reasonOf, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const EMAIL = 'owner@example.org'
const PASSWORD = 'correct horse'
const ACCOUNT = { SERVICE_BOOTSTRAP_EMAIL: EMAIL, SERVICE_BOOTSTRAP_PASSWORD: PASSWORD }
const SIGN_IN = 'public.auth.v1.AuthService/SignInWithEmail'

/** Rejects for what was looked at. */
async function refusedOnly(answer: Promise<string>): Promise<string> {
  const text = await answer
  if (text.startsWith('401')) throw new Error(text)
  return text
}

type Answer = Awaited<ReturnType<TestService['call']>>

interface Tokens {
  readonly token: string
  readonly refreshToken: string
}

async function call(service: TestService, method: string, body: object, headers = {}): Promise<Answer> {
  return await service.call(method, body, { 'x-api-key': '', ...headers })
}

/** The tokens of an answer that has them. */
function tokensIn({ status, body }: Answer): Tokens {
  expect({ status, reason: status === 200 ? '' : reasonOf(body) }).toEqual({ status: 200, reason: '' })
  return { token: String(body.token), refreshToken: String(body.refreshToken) }
}

async function signIn(service: TestService, password = PASSWORD): Promise<Tokens> {
  return tokensIn(await call(service, SIGN_IN, { email: EMAIL, password }))
}

async function getMe(service: TestService, token: string): Promise<Answer> {
  const method = 'dashboard.customers.v1.CustomersService/GetMe'
  return await call(service, method, {}, { authorization: `Bearer ${token}` })
}

async function refresh(service: TestService, refreshToken: string): Promise<Answer> {
  return await call(service, 'public.auth.v1.AuthService/RefreshSession', { refreshToken })
}

async function setPassword(
  service: TestService,
  token: string,
  change: { readonly password: string; readonly currentPassword?: string },
): Promise<Answer> {
  const method = 'dashboard.customers.v1.CustomersService/SetPassword'
  return await call(service, method, change, { authorization: `Bearer ${token}` })
}

/** Refusals of calls with the token of an ended session: setting a password, making keys, inviting, and others. */
async function refusalsOf(service: TestService, token: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}`, 'x-project-id': '1' }
  const catalog = openCatalog(service)
  const { id: orgId } = await catalog.selectFrom('organisations').select('id').executeTakeFirstOrThrow()
  await catalog.destroy()
  const calls: readonly (readonly [method: string, body: object])[] = [
    [
      'dashboard.customers.v1.CustomersService/SetPassword',
      { password: 'of a thief', currentPassword: PASSWORD },
    ],
    ['dashboard.projects.v1.ProjectsService/CreateApiKey', { kind: 'API_KEY_KIND_PRIVATE' }],
    ['dashboard.projects.v1.ProjectsService/ListApiKeys', {}],
    [
      'dashboard.orgs.v1.OrgsService/InviteMember',
      { orgId, email: 'thief@example.org', role: 'ORG_ROLE_ADMIN' },
    ],
    ['dashboard.orgs.v1.OrgsService/Create', { displayName: 'Thieves' }],
    ['dashboard.orgemailproviders.v1.OrgEmailProvidersService/Get', { orgId }],
    ['millrace.account.v1.SessionsService/List', {}],
    ['millrace.account.v1.SessionsService/EndOthers', {}],
    ['shared.profiles.v1.ProfilesService/DeleteDataSubject', { externalId: 'x' }],
  ]
  return await Promise.all(
    calls.map(async ([method, body]) => refusal(await call(service, method, body, headers))),
  )
}

/** Answers of all of them. */
const ALL_ENDED = Array(9).fill('401 INVALID_TOKEN')

function refusal({ status, body }: Answer): string {
  return `${status} ${reasonOf(body)}`
}

describe('people', () => {
  let service: TestService

  beforeAll(async () => {
    service = await TestService.start({ ...ACCOUNT, SERVICE_SIGN_UP: 'domains:example.org' })
  })

  afterAll(async () => {
    await service?.destroy()
  })

  test('sign in with the first account, whose start message omits a password from the settings', async () => {
    expect(service.output.stdout).toContain(EMAIL)
    expect(service.output.stdout + service.output.stderr).not.toContain(PASSWORD)
    const { token } = await signIn(service)
    const me = await getMe(service, token)
    expect(me).toMatchObject({ status: 200, body: { email: EMAIL } })
    const orgs = await call(
      service,
      'dashboard.orgs.v1.OrgsService/List',
      {},
      { authorization: `Bearer ${token}` },
    )
    expect(orgs.body).toMatchObject({ orgs: [{ displayName: 'Default', role: 'ORG_ROLE_ADMIN' }] })
  })

  test('do not learn whether an account exists', async () => {
    const known = await call(service, SIGN_IN, { email: EMAIL, password: 'wrong' })
    const unknown = await call(service, SIGN_IN, { email: 'nobody@example.org', password: 'wrong' })
    expect(refusal(known)).toBe('401 INVALID_CREDENTIALS')
    expect(refusal(unknown)).toBe('401 INVALID_CREDENTIALS')
    expect(unknown.body.message).toBe(known.body.message)
  })

  test('stay signed in by refreshing, until a token is used twice', async () => {
    const first = await signIn(service)
    const second = tokensIn(await refresh(service, first.refreshToken))
    expect((await getMe(service, second.token)).status).toBe(200)
    expect(refusal(await refresh(service, first.refreshToken))).toBe('401 INVALID_TOKEN')
    expect(refusal(await refresh(service, second.refreshToken))).toBe('401 INVALID_TOKEN')
  })

  test('sign out of one session', async () => {
    const [ended, kept] = [await signIn(service), await signIn(service)]
    const { refreshToken } = ended
    expect((await call(service, 'public.auth.v1.AuthService/SignOut', { refreshToken })).status).toBe(200)
    expect(refusal(await refresh(service, refreshToken))).toBe('401 INVALID_TOKEN')
    tokensIn(await refresh(service, kept.refreshToken))
  })

  test('cannot use a token whose session has ended by sign-out, from another session or by a new password', async () => {
    const [out, ended, other, kept] = [
      await signIn(service),
      await signIn(service),
      await signIn(service),
      await signIn(service),
    ]
    // Each is remembered by what only reads.
    for (const { token } of [out, ended, other]) expect((await getMe(service, token)).status).toBe(200)
    await call(service, 'public.auth.v1.AuthService/SignOut', { refreshToken: out.refreshToken })
    expect(await refusalsOf(service, out.token)).toEqual(ALL_ENDED)
    const id = ended.refreshToken.split('.', 1)[0]
    const headers = { authorization: `Bearer ${kept.token}` }
    await call(service, 'millrace.account.v1.SessionsService/End', { id }, headers)
    expect(await refusalsOf(service, ended.token)).toEqual(ALL_ENDED)
    const same = { password: PASSWORD, currentPassword: PASSWORD }
    expect((await setPassword(service, kept.token, same)).status).toBe(200)
    expect(await refusalsOf(service, other.token)).toEqual(ALL_ENDED)
    expect((await getMe(service, kept.token)).status).toBe(200)
    for (const { token } of [out, ended, other])
      await expectAfterChange(async () => refusal(await getMe(service, token)), '401 INVALID_TOKEN')
  })

  test('stay signed in when a caller has only the id of their session', async () => {
    const { refreshToken } = await signIn(service)
    const forged = { refreshToken: `${refreshToken.split('.', 1)[0]}.${'x'.repeat(43)}` }
    const out = await call(service, 'public.auth.v1.AuthService/SignOut', forged)
    expect([out.status, out.body]).toEqual([200, {}])
    expect(refusal(await refresh(service, forged.refreshToken))).toBe('401 INVALID_TOKEN')
    tokensIn(await refresh(service, refreshToken))
  })

  test('get tokens and keys with Cache-Control: no-store', async () => {
    const signedIn = await call(service, SIGN_IN, { email: EMAIL, password: PASSWORD })
    const { token, refreshToken } = tokensIn(signedIn)
    const headers = { authorization: `Bearer ${token}`, 'x-project-id': '1' }
    const key = { kind: 'API_KEY_KIND_PUBLIC' }
    const answers = [
      signedIn,
      await refresh(service, refreshToken),
      await call(service, 'dashboard.projects.v1.ProjectsService/CreateApiKey', key, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.map((answer) => answer.headers.get('cache-control'))).toEqual(Array(3).fill('no-store'))
  })

  test('are signed out of all other sessions by a new password', async () => {
    const [here, elsewhere] = [await signIn(service), await signIn(service)]
    const emoji = '😀'.repeat(128)
    const change = { currentPassword: PASSWORD }
    const unproved = await setPassword(service, here.token, { password: emoji })
    expect(refusal(unproved)).toBe('412 REAUTHENTICATION_REQUIRED')
    const tooShort = await setPassword(service, here.token, { ...change, password: '1234567' })
    expect(refusal(tooShort)).toBe('400 INVALID_REQUEST')
    expect(tooShort.body.message).toContain('password')
    const tooLong = await setPassword(service, here.token, { ...change, password: 'ü'.repeat(129) })
    expect(tooLong.status).toBe(400)
    expect((await setPassword(service, here.token, { ...change, password: emoji })).status).toBe(200)
    expect(refusal(await refresh(service, elsewhere.refreshToken))).toBe('401 INVALID_TOKEN')
    tokensIn(await refresh(service, here.refreshToken))
    expect(refusal(await call(service, SIGN_IN, { email: EMAIL, password: PASSWORD }))).toBe(
      '401 INVALID_CREDENTIALS',
    )
    await signIn(service, emoji)
    const back = { password: PASSWORD, currentPassword: emoji }
    expect((await setPassword(service, here.token, back)).status).toBe(200)
  })

  test('without an account or an invitation get the same answer but no link', async () => {
    const ask = async (email: string): Promise<Answer> =>
      await call(service, 'public.auth.v1.AuthService/RequestMagicLink', { email })
    const [stranger, known] = [await ask('stranger@example.com'), await ask(EMAIL)]
    expect([stranger.status, stranger.body]).toEqual([known.status, known.body])
    await waitFor('the link of the one with an account', () =>
      service.output.stderr.includes(EMAIL) ? true : undefined,
    )
    expect(service.output.stderr).not.toContain('stranger@example.com')
  })

  test('get a sign-in link in the log when no mail server is configured', async () => {
    const email = 'new@example.org'
    const asked = await call(service, 'public.auth.v1.AuthService/RequestMagicLink', { email })
    expect({ status: asked.status, body: asked.body }).toEqual({ status: 200, body: {} })
    const token = await waitFor('the link', () => {
      const line = service.output.stderr.split('\n').find((one) => one.includes(email))
      return /token=([\w-]{43})/.exec(line ?? '')?.[1]
    })
    const complete = { token, timezone: 'Europe/Berlin' }
    const signedIn = tokensIn(await call(service, 'public.auth.v1.AuthService/CompleteMagicLink', complete))
    expect((await getMe(service, signedIn.token)).body).toMatchObject({ email, emailVerified: true })
    const again = await call(service, 'public.auth.v1.AuthService/CompleteMagicLink', complete)
    expect(refusal(again)).toBe('401 INVALID_TOKEN')
  })

  test.each([
    ['CompleteOAuthSignIn', { provider: 'O_AUTH_PROVIDER_GOOGLE', credential: 'x' }],
    ['DemoSignIn', {}],
  ])('get SIGN_IN_NOT_CONFIGURED from %s', async (method, body) => {
    const answer = await call(service, `public.auth.v1.AuthService/${method}`, body)
    expect(refusal(answer)).toBe('412 SIGN_IN_NOT_CONFIGURED')
  })

  test('sign in from a known network during a flood from 200 addresses', async () => {
    await signIn(service)
    const flood = Array.from({ length: 200 }, async (_, index) => {
      const body = { email: `junk-${index}@example.org`, password: 'wrong' }
      return refusal(await call(service, SIGN_IN, body, { 'x-forwarded-for': `198.51.100.${index}` }))
    })
    expect(await Promise.any(flood.map(refusedOnly))).toBe('429 OVERLOADED')
    await signIn(service)
    const open = await Promise.race([Promise.all(flood), Promise.resolve('guesses still wait')])
    expect(open).toBe('guesses still wait')
    await Promise.all(flood)
  })

  test('call methods during 200 concurrent wrong passwords from different addresses', async () => {
    const { token } = await signIn(service)
    const attempts = Array.from({ length: 200 }, async (_, index) => {
      const body = { email: `guess-${index}@example.org`, password: 'wrong' }
      const answer = await call(service, SIGN_IN, body, { 'x-forwarded-for': `203.0.113.${index}` })
      return { refusal: refusal(answer), retryAfter: answer.headers.get('retry-after') }
    })
    expect((await getMe(service, token)).status).toBe(200)
    const answers = await Promise.all(attempts)
    const wrong = answers.filter((answer) => answer.refusal === '401 INVALID_CREDENTIALS')
    const later = answers.filter((answer) => answer.refusal === '429 OVERLOADED')
    // The queue holds 32, and the first may have to wait for its share of the time too.
    expect(wrong.length).toBeGreaterThanOrEqual(32)
    expect(wrong.length + later.length).toBe(200)
    expect(later.every(({ retryAfter }) => retryAfter === '8')).toBe(true)
    await signIn(service)
  })

  test('get 429 with Retry-After after eleven wrong passwords for one account', async () => {
    const body = { email: 'victim@example.org', password: 'wrong' }
    const attempts = Array.from({ length: 30 }, async () => await call(service, SIGN_IN, body))
    const answers = await Promise.all(attempts)
    const limited = answers.filter(({ status }) => status === 429)
    expect(answers.filter((answer) => refusal(answer) === '401 INVALID_CREDENTIALS')).toHaveLength(11)
    expect(limited.map(refusal)).toEqual(Array(19).fill('429 RATE_LIMITED'))
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await signIn(service)
  })
})

test('a start creates the first account of an older data folder', async () => {
  const service = await TestService.start()
  try {
    await service.shutDown()
    const catalog = openCatalog(service)
    await catalog.deleteFrom('memberships').execute()
    await catalog.deleteFrom('customers').execute()
    await catalog.destroy()
    await service.launch()
    const [, email = '', password = ''] = /console +(\S+) +(\S+)/.exec(service.output.stdout) ?? []
    tokensIn(await call(service, SIGN_IN, { email, password }))
    expect(service.output.stdout).not.toContain('public key')
  } finally {
    await service.destroy()
  }
})

describe.skipIf(!hasPostgres())('on PostgreSQL', () => {
  let postgres: LocalPostgres
  let service: TestService

  beforeAll(async () => {
    postgres = await startLocalPostgres()
    service = await TestService.start({ ...ACCOUNT, SERVICE_DATABASE_URL: await postgres.createDatabase() })
  })

  afterAll(async () => {
    await service?.destroy()
    await postgres?.destroy()
  })

  test('people sign in, and again after a restart', async () => {
    const { refreshToken } = await signIn(service)
    await service.shutDown()
    await service.launch()
    expect(service.output.stdout).not.toContain('console  ')
    const { token } = tokensIn(await refresh(service, refreshToken))
    expect((await getMe(service, token)).body).toMatchObject({ email: EMAIL })
  })

  test('events are accepted during its outage, and users sign in afterwards', async () => {
    const send = async (): Promise<Answer> => {
      const events = [makeEvent()]
      const headers = { 'x-api-key': PUBLIC_KEY }
      return await service.call(BATCH_CREATE, { events }, headers)
    }
    const attempt = { email: EMAIL, password: PASSWORD }
    const { token } = await signIn(service)
    // Twice: each edge takes events with a key that it has seen.
    expect(await send()).toMatchObject({ status: 200, body: { accepted: 1 } })
    expect(await send()).toMatchObject({ status: 200, body: { accepted: 1 } })
    await postgres.stop()
    expect(await send()).toMatchObject({ status: 200, body: { accepted: 1 } })
    // Its connections may take a moment to notice.
    await waitFor('the catalog to be missed', async () =>
      refusal(await getMe(service, token)) === '503 STORE_UNAVAILABLE' ? true : undefined,
    )
    expect(refusal(await call(service, SIGN_IN, attempt))).toBe('503 STORE_UNAVAILABLE')
    await postgres.start()
    await waitFor('a sign-in', async () => {
      return (await call(service, SIGN_IN, attempt)).status === 200 ? true : undefined
    })
  })
})
