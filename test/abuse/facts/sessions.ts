import { waitFor } from '../../harness/wait.ts'
import { type Answered, ask, call, JSON_CALL } from '../client.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'
import { ADMIN } from '../target.ts'

const AUTH = 'public.auth.v1.AuthService'
const CUSTOMERS = 'dashboard.customers.v1.CustomersService'

const isStored = ({ headers }: Answered): boolean =>
  !String(headers['cache-control'] ?? '').includes('no-store')

async function consoleCall(
  { url }: ServiceUnderAttack,
  method: string,
  { body = {}, headers = {} }: { readonly body?: object; readonly headers?: Record<string, string> },
): Promise<Answered> {
  return await ask(url, {
    path: `/console/session/${method}`,
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify(body),
  })
}

/** The refresh token with one of its characters exchanged, for each of some places. */
function twistedTokens(token: string): readonly string[] {
  return [0, 1, Math.floor(token.length / 2), token.length - 3].map((place) => {
    const other = token[place] === 'A' ? 'B' : 'A'
    return token.slice(0, place) + other + token.slice(place + 1)
  })
}

const tokens: readonly Statement[] = [
  {
    title: 'SignOut with a wrong secret ends no session',
    check: async (service) => {
      const { refreshToken } = await service.signIn()
      const twisted = [
        ...twistedTokens(refreshToken),
        refreshToken.slice(0, -4),
        `${refreshToken}A`,
        refreshToken.split('.')[0] ?? '',
      ]
      for (const token of twisted) await call(service.url, `${AUTH}/SignOut`, { refreshToken: token })
      const { status } = await call(service.url, `${AUTH}/RefreshSession`, { refreshToken })
      claim(status === 200, () => `the session that was not signed out is answered with ${status}`)
    },
  },
  {
    title: 'RefreshSession with a wrong secret ends no session',
    check: async (service) => {
      const { refreshToken } = await service.signIn()
      for (const token of twistedTokens(refreshToken))
        await call(service.url, `${AUTH}/RefreshSession`, { refreshToken: token })
      const { status } = await call(service.url, `${AUTH}/RefreshSession`, { refreshToken })
      claim(status === 200, () => `answered with ${status}`)
    },
  },
  {
    title: 'answers that hold a token are not cached: SignInWithEmail, RefreshSession, CreateApiKey',
    check: async (service) => {
      const signedIn = await call(service.url, `${AUTH}/SignInWithEmail`, ADMIN)
      const refreshed = await call(service.url, `${AUTH}/RefreshSession`, {
        refreshToken: signedIn.json.refreshToken,
      })
      const made = await call(
        service.url,
        'dashboard.projects.v1.ProjectsService/CreateApiKey',
        { kind: 'API_KEY_KIND_PUBLIC' },
        { authorization: `Bearer ${String(signedIn.json.token)}`, 'x-project-id': service.other.projectId },
      )
      const stored = [signedIn, refreshed, made].map(
        (answered) => `${answered.status} ${answered.headers['cache-control']}`,
      )
      claim(![signedIn, refreshed, made].some(isStored), () => stored.join('; '))
    },
  },
  {
    title:
      'the session of the console is in a cookie that no script can read, and its answers are not cached',
    check: async (service) => {
      const answered = await consoleCall(service, 'SignInWithEmail', { body: ADMIN })
      claim(answered.status === 200, () => `answered with ${answered.status}`)
      const cookie = String(answered.headers['set-cookie'])
      claim(/httponly/i.test(cookie) && /samesite=strict/i.test(cookie), () => cookie.replace(/=[^;]*/, '=…'))
      claim(!answered.body.includes('refreshToken'), () => 'the refresh token is in the body')
      claim(!isStored(answered), () => `cache-control: ${answered.headers['cache-control']}`)
    },
  },
  ...[
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin without a name', { origin: 'null' }],
    ['another port of the same host', { origin: 'http://127.0.0.1:1' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a form', { 'content-type': 'text/plain' }],
    ['a form of fields', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a host of its choice', { host: 'evil.example', origin: 'http://evil.example.org' }],
  ].map(
    ([who, headers]): Statement => ({
      title: `the session of the console is not given to ${String(who)}`,
      check: async (service) => {
        const answered = await consoleCall(service, 'SignInWithEmail', {
          body: ADMIN,
          headers: headers as Record<string, string>,
        })
        claim(
          [400, 401, 403, 415, 421, 501].includes(answered.status),
          () => `answered with ${answered.status}`,
        )
        claim(answered.headers['set-cookie'] === undefined, () => 'a cookie is set')
      },
    }),
  ),
  {
    title: 'a link in a mail leads to the address of the service, not to the host of the request',
    check: async (service) => {
      const before = service.output.stderr.length
      for (const headers of [
        { host: 'evil.example' },
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
        { forwarded: 'host=evil.example' },
      ])
        await ask(service.url, {
          path: `/${AUTH}/RequestMagicLink`,
          headers: { ...JSON_CALL, ...headers } as Record<string, string>,
          body: JSON.stringify({ email: ADMIN.email }),
        })
      await waitFor('the mails', () =>
        (service.output.stderr.slice(before).match(/token=/g)?.length ?? 0) >= 1 ? true : undefined,
      )
      claim(
        !service.output.stderr.slice(before).includes('evil.example'),
        () => 'a link leads to evil.example',
      )
    },
  },
]

/** Whether an address without an account gets a sign-in link. Without a mail server, the mails are in the log. */
async function getsLink(service: ServiceUnderAttack, email: string): Promise<boolean> {
  const { status } = await call(service.url, `${AUTH}/RequestMagicLink`, { email })
  claim(status === 200, () => `RequestMagicLink reveals accounts: ${status}`)
  // The admin's link comes after: once it is there, the other one would be.
  await call(service.url, `${AUTH}/RequestMagicLink`, { email: ADMIN.email })
  const linesOf = (address: string): readonly string[] =>
    service.output.stderr.split('\n').filter((line) => line.includes(address) && line.includes('token='))
  const before = linesOf(ADMIN.email).length
  await waitFor('the link of the admin', () =>
    linesOf(ADMIN.email).length > before - 1 && linesOf(ADMIN.email).length > 0 ? true : undefined,
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  const link = linesOf(email).at(-1)
  const [, token] = /token=([\w.-]+)/.exec(link ?? '') ?? []
  if (token === undefined) return false
  const completed = await call(service.url, `${AUTH}/CompleteMagicLink`, { token })
  return completed.status === 200
}

const signUp: readonly Statement[] = [
  {
    title: 'an unknown address gets no account by default',
    check: async (service) => {
      claim(!(await getsLink(service, 'unknown@example.com')), () => 'an unknown address has an account')
    },
  },
  {
    title: 'an address of a listed domain gets an account, and others that look like it get none',
    setup: 'domain-sign-up',
    check: async (service) => {
      claim(await getsLink(service, 'carol@example.com'), () => 'an address of the domain gets no account')
      const others = [
        'carol@evil.example',
        'carol@sub.example.com',
        'carol@example.com.evil.example',
        'carol@notexample.com',
        '"carol@example.com"@evil.example',
      ]
      for (const email of others) {
        const { status } = await call(service.url, `${AUTH}/RequestMagicLink`, { email })
        if (status !== 400) claim(!(await getsLink(service, email)), () => `${email} has an account`)
      }
    },
  },
  {
    title: 'an unknown address gets an account where sign-up is open',
    setup: 'open-sign-up',
    check: async (service) => {
      claim(await getsLink(service, 'unknown@example.com'), () => 'an unknown address gets no account')
    },
  },
]

const passwords: readonly Statement[] = [
  {
    title: 'a session that is not fresh sets a password only with the current one',
    check: async (service) => {
      const { refreshToken } = await service.signIn()
      // A refreshed token may belong to a stolen session.
      const refreshed = await call(service.url, `${AUTH}/RefreshSession`, { refreshToken })
      const headers = { authorization: `Bearer ${String(refreshed.json.token)}` }
      const wrong = await call(
        service.url,
        `${CUSTOMERS}/SetPassword`,
        { password: ADMIN.password, currentPassword: 'a wrong one' },
        headers,
      )
      claim(wrong.status !== 200, () => 'a wrong current password is taken')
    },
  },
  {
    title: 'a password reset answers alike for known and unknown addresses',
    check: async (service) => {
      const answers: string[] = []
      for (const email of [ADMIN.email, 'unknown@example.org', 'ADA@EXAMPLE.ORG']) {
        const { status, json } = await call(service.url, `${AUTH}/SignInWithEmail`, {
          email,
          password: 'wrong',
        })
        answers.push(`${status} ${String(json.code)} ${String(json.message)}`)
      }
      claim(new Set(answers).size === 1, () => answers.join('; '))
    },
  },
]

/** Sessions, and the accounts that get one. */
export const sessions: Chapter = { name: 'sessions', statements: [...tokens, ...signUp, ...passwords] }
