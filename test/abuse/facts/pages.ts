import { ALL_SERVICES as SERVICES } from '../../harness/contract-services.ts'
import { BATCH_CREATE, makeEvent } from '../../harness/events.ts'
import { type Answered, ask, call, JSON_CALL } from '../client.ts'
import { checkWords } from '../refusal.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'
import { ADMIN } from '../target.ts'

const ORIGIN = 'https://shop.example'

/** Origins that a page may have. */
const ORIGINS = [
  ORIGIN,
  'null',
  'http://localhost:5173',
  'https://evil.example',
  'file://',
  'chrome-extension://abc',
  'https://xn--80ak6aa92e.com',
  'https://a.example, https://b.example',
]

/** A preflight as a browser sends it. */
async function preflight(service: ServiceUnderAttack, path: string, origin: string): Promise<Answered> {
  return await ask(service.url, {
    path,
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-api-key,connect-protocol-version',
    },
  })
}

/** The parts of a path's answers that a page of an origin may read. */
async function allowedOf(service: ServiceUnderAttack, path: string, origin: string): Promise<string[]> {
  const asked = await preflight(service, path, origin)
  const called = await ask(service.url, { path, headers: { ...JSON_CALL, origin }, body: '{}' })
  return [asked, called].flatMap(({ headers }) => [
    `${headers['access-control-allow-origin']} ${headers['access-control-allow-credentials']}`,
  ])
}

const cors: readonly Statement[] = [
  ...SERVICES.filter(({ typeName }) => typeName.startsWith('sdk.')).map(
    ({ typeName, methods }): Statement => ({
      title: `pages of every origin may call ${typeName}, with the credentials of beacons`,
      check: async (service) => {
        const seen: string[] = []
        for (const { name } of methods)
          for (const origin of [ORIGIN, 'http://localhost:5173', 'https://evil.example']) {
            const path = `/${typeName}/${name}`
            const allowed = await allowedOf(service, path, origin)
            if (allowed.some((text) => text !== `${origin} true`))
              seen.push(`${name} from ${origin}: ${allowed.join(', ')}`)
            const { headers } = await preflight(service, path, origin)
            if (!/\borigin\b/i.test(String(headers.vary))) seen.push(`${name}: vary is ${headers.vary}`)
          }
        claim(seen.length === 0, () => seen.slice(0, 5).join('; '))
      },
    }),
  ),
  ...SERVICES.filter(({ typeName }) => !typeName.startsWith('sdk.')).map(
    ({ typeName, methods }): Statement => ({
      title: `pages of no other origin may read answers of ${typeName}`,
      check: async (service) => {
        const seen: string[] = []
        for (const { name } of methods)
          for (const origin of ORIGINS) {
            const allowed = await allowedOf(service, `/${typeName}/${name}`, origin)
            if (allowed.some((text) => text !== 'undefined undefined'))
              seen.push(`${name} from ${origin}: ${allowed.join(', ')}`)
          }
        claim(seen.length === 0, () => seen.slice(0, 5).join('; '))
      },
    }),
  ),
  {
    title: 'pages of other origins may read nothing of the console, its session, the tools and the state',
    check: async (service) => {
      const seen: string[] = []
      for (const path of ['/', '/console/session/RefreshSession', '/mcp', '/healthz', '/readyz', '/nowhere'])
        for (const method of ['OPTIONS', 'GET', 'POST'])
          for (const origin of ['https://evil.example', 'null']) {
            const { headers } = await ask(service.url, {
              path,
              method,
              headers: { origin, 'content-type': 'application/json' },
              body: method === 'POST' ? '{}' : '',
            })
            const allowed = headers['access-control-allow-origin']
            if (allowed !== undefined) seen.push(`${method} ${path}: ${allowed}`)
          }
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: 'a listed origin may call every service, and a similar one may not',
    setup: 'listed-origin',
    check: async (service) => {
      const path = '/shared.insights.v1.InsightsService/Query'
      const allowed = await allowedOf(service, path, 'https://app.example.com')
      claim(
        allowed.every((text) => text.startsWith('https://app.example.com')),
        () => allowed.join('; '),
      )
      for (const origin of [
        'https://app.example.com.evil.example',
        'http://app.example.com',
        'https://APP.example.com.',
        'https://app.example.com:444',
        'https://evil-app.example.com',
        'null',
        'https://app.example.co',
      ]) {
        const others = await allowedOf(service, path, origin)
        claim(
          others.every((text) => text.startsWith('undefined')),
          () => `${origin}: ${others.join('; ')}`,
        )
      }
    },
  },
  {
    title: 'a header of a page cannot split the answer that repeats it',
    check: async (service) => {
      const long = `https://${'a'.repeat(4000)}.example`
      for (const origin of [long, 'https://a.example\tx', 'javascript:alert(1)', '<script>']) {
        const answered = await preflight(service, `/${BATCH_CREATE}`, origin)
        claim(answered.status < 500, () => `${answered.status}`)
        claim(!answered.body.includes('<script'), () => answered.body.toString())
      }
    },
  },
]

const beacons: Statement = {
  title: 'a beacon of another origin is accepted, and its answer is readable with credentials',
  check: async (service) => {
    for (const type of ['application/json', 'text/plain;charset=UTF-8', 'text/plain']) {
      const answered = await ask(service.url, {
        path: `/${BATCH_CREATE}?api_key=${service.publicKey}`,
        headers: { 'content-type': type, origin: ORIGIN, cookie: 'a=b' },
        body: JSON.stringify({ events: [makeEvent()] }),
      })
      const { status, headers } = answered
      claim(status === 200 || type !== 'application/json', () => `${type}: ${status} ${answered.body}`)
      claim(
        headers['access-control-allow-origin'] === ORIGIN &&
          headers['access-control-allow-credentials'] === 'true',
        () => `${type}: ${JSON.stringify(headers)}`,
      )
      claim(headers['set-cookie'] === undefined, () => 'sets a cookie')
    }
  },
}

const heads: readonly Statement[] = [
  {
    title: 'no answer names server software',
    check: async (service) => {
      const asked = [
        { path: '/', method: 'GET' },
        { path: '/healthz', method: 'GET' },
        { path: `/${BATCH_CREATE}` },
        { path: '/shared.insights.v1.InsightsService/Query' },
        { path: '/nowhere' },
        { path: '/mcp' },
        { path: '/sdk.js', method: 'GET' },
      ]
      const seen: string[] = []
      for (const one of asked) {
        const { headers } = await ask(service.url, { ...one, body: '' })
        const named = ['server', 'x-powered-by', 'via', 'uwebsockets'].filter(
          (name) => headers[name] !== undefined,
        )
        if (named.length > 0)
          seen.push(`${one.path}: ${named.map((name) => `${name}: ${headers[name]}`).join()}`)
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: 'pages of the console forbid frames, other scripts and sniffing',
    check: async (service) => {
      for (const path of ['/', '/sign-in', '/shared/abc', '/index.html']) {
        const { headers, status } = await ask(service.url, {
          path,
          method: 'GET',
          headers: { accept: 'text/html' },
        })
        const policy = String(headers['content-security-policy'])
        if (status !== 200) continue
        claim(
          /default-src|script-src/.test(policy) &&
            !policy.includes('unsafe-inline') &&
            !policy.includes('unsafe-eval'),
          () => `${path}: ${policy}`,
        )
        claim(/frame-ancestors 'none'/.test(policy), () => `${path}: ${policy}`)
        claim(headers['x-content-type-options'] === 'nosniff', () => `${path}: nosniff is missing`)
      }
    },
  },
  {
    title:
      'answers in JSON are not sniffed, and none that holds data of a tenant is stored by a cache in between',
    check: async (service) => {
      const { token } = await service.signIn()
      const seen: string[] = []
      for (const [method, headers] of [
        ['shared.campaigns.v1.CampaignService/BatchGet', { 'x-api-key': service.privateKey }],
        ['dashboard.customers.v1.CustomersService/GetMe', { authorization: `Bearer ${token}` }],
        [
          'dashboard.projects.v1.ProjectsService/ListApiKeys',
          { authorization: `Bearer ${token}`, 'x-project-id': '1' },
        ],
      ] as const) {
        const answered = await call(service.url, method, {}, headers)
        const cached = String(answered.headers['cache-control'] ?? '')
        if (/public|s-maxage|max-age=[1-9]/.test(cached)) seen.push(`${method}: ${cached}`)
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: 'a request id is repeated unchanged or replaced',
    check: async (service) => {
      for (const id of [
        'a'.repeat(4096),
        '<script>alert(1)</script>',
        '\x7f\x01',
        '"; DROP TABLE',
        '%0d%0aset-cookie: a=b',
        '\u00e9'.repeat(100),
      ]) {
        let answered: Answered
        try {
          answered = await ask(service.url, {
            path: '/nowhere',
            headers: { ...JSON_CALL, 'x-request-id': id },
            body: '{}',
          })
        } catch {
          continue
        }
        claim(answered.status < 500, () => `${answered.status}`)
        claim(answered.headers['set-cookie'] === undefined, () => 'a cookie is set')
        claim(!/text\/html/.test(String(answered.headers['content-type'])), () => 'the answer is a page')
        claim(
          String(answered.headers['x-request-id'] ?? '').length <= 1024,
          () => 'four kilobytes are repeated',
        )
      }
    },
  },
]

/** Requests that are wrong in a way that something inside has words for. */
const PROVOCATIONS: readonly (readonly [what: string, method: string, body: string])[] = [
  ['JSON that is none', 'shared.insights.v1.InsightsService/Query', '{"spec":'],
  ['an unknown field', 'shared.insights.v1.InsightsService/Query', '{"zpec":{}}'],
  ['a number for a text', 'shared.profiles.v1.ProfilesService/Get', '{"id":{"a":1}}'],
  ['a prototype', 'shared.profiles.v1.ProfilesService/Get', '{"__proto__":{"id":"x"},"constructor":1}'],
  ['a name of SQL', 'shared.profiles.v1.ProfilesService/GetByExternalId', `{"externalId":"' OR 1=1 --"}`],
  [
    'a zone of nowhere',
    'shared.insights.v1.InsightsService/Query',
    '{"spec":{"insightType":"INSIGHT_TYPE_TRENDS"},"timezone":"../../etc/passwd","granularity":"GRANULARITY_DAY","timeRange":{"from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z"}}',
  ],
  [
    'a page token of brackets',
    'shared.activity.v1.ActivityService/GetEventExplorer',
    `{"pageToken":"${Buffer.from('['.repeat(30_000)).toString('base64url')}"}`,
  ],
  [
    'a page token of numbers',
    'shared.activity.v1.ActivityService/GetEventExplorer',
    `{"pageToken":"${Buffer.from('[1e999,{},[],null]').toString('base64url')}"}`,
  ],
  [
    'a time beyond time',
    'shared.activity.v1.ActivityService/GetEventExplorer',
    '{"timeRange":{"from":"-292277022399-01-01T00:00:00Z","to":"9999999-01-01T00:00:00Z"}}',
  ],
  ['a surrogate alone', 'shared.profiles.v1.ProfilesService/Get', '{"id":"\\ud800"}'],
  ['U+0000 in a text', 'shared.profiles.v1.ProfilesService/Get', '{"id":"a\\u0000b"}'],
  [
    'a property of brackets',
    'shared.insights.v1.InsightsService/GetPropertyValues',
    '{"propertyKey":"a[(*+?","source":"PROPERTY_SOURCE_CUSTOM"}',
  ],
  [
    'a filter of regular expressions',
    'shared.insights.v1.InsightsService/GetPropertyValues',
    `{"propertyKey":"${'a.'.repeat(5000)}a","source":"PROPERTY_SOURCE_CUSTOM"}`,
  ],
  ['an id of 100 kB', 'shared.profiles.v1.ProfilesService/Get', `{"id":"${'x'.repeat(100_000)}"}`],
]

const errors: readonly Statement[] = PROVOCATIONS.map(([what, method, body]) => ({
  title: `${what} is answered without internal texts`,
  check: async (service) => {
    const answered = await call(service.url, method, body, { 'x-api-key': service.privateKey })
    checkWords(answered)
    claim(answered.status < 500, () => `${answered.status} ${answered.body.toString().slice(0, 200)}`)
  },
}))

const prototypes: Statement = {
  title: 'keys that mean something to a language are kept as keys of events and traits, or refused',
  check: async (service) => {
    const keys = [
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'then',
      'valueOf',
      '',
    ]
    for (const key of keys) {
      const event = `{"events":[${JSON.stringify(makeEvent()).slice(0, -1)},"customProperties":{${JSON.stringify(key)}:{"stringValue":"x"}}}]}`
      const sent = await call(service.url, BATCH_CREATE, event, { 'x-api-key': service.publicKey })
      claim([200, 400].includes(sent.status), () => `${key}: ${sent.status}`)
      const identified = await call(
        service.url,
        'sdk.profiles.v1.ProfilesSDKService/Identify',
        `{"externalId":"proto-${keys.indexOf(key)}","traits":{${JSON.stringify(key)}:{"a":1}}}`,
        { 'x-api-key': service.publicKey },
      )
      claim([200, 400].includes(identified.status), () => `${key}: ${identified.status}`)
    }
    const { status } = await call(service.url, 'public.auth.v1.AuthService/SignInWithEmail', ADMIN)
    claim(status === 200, () => `afterwards a sign-in is answered with ${status}`)
  },
}

/** Statements about pages, caches, and information in answers. */
export const pages: Chapter = {
  name: 'pages',
  statements: [...cors, beacons, ...heads, ...errors, prototypes],
}
