import { randomInt } from 'node:crypto'
import type { DescMethod } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_METHODS, shortName } from './harness/contract-services.ts'
import { type CountedProcess, startCountedProcess } from './harness/counted-process.ts'
import { hasPostgres, type LocalPostgres, startLocalPostgres } from './harness/local-postgres.ts'
import { oddMessages } from './harness/odd-messages.ts'
import { TestService } from './harness/service.ts'
import { createTenant, type Tenant } from './tenants/tenant.ts'

/** Another walk each time; a failure prints it. */
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))

/** Messages for each method: all together take some ten seconds. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 25)

const AT_EDGE: ReadonlySet<string> = new Set(['EventsService/BatchCreate', 'ProfilesSDKService/Identify'])
/** Methods that end the tenant, which the others need. */
const LAST: ReadonlySet<string> = new Set(['OrgsService/RemoveMember', 'ProjectsService/Delete'])

const METHODS = ALL_METHODS.filter((method) => !AT_EDGE.has(shortName(method))).toSorted(
  (a, b) => Number(LAST.has(shortName(a))) - Number(LAST.has(shortName(b))),
)

let postgres: LocalPostgres | undefined
let service: TestService
let counted: CountedProcess
let tenant: Tenant

// On PostgreSQL, where there is one: it refuses more texts and numbers than SQLite does.
beforeAll(async () => {
  if (hasPostgres()) postgres = await startLocalPostgres()
  const settings = postgres ? { SERVICE_DATABASE_URL: await postgres.createDatabase() } : {}
  service = await TestService.start(settings)
  counted = await startCountedProcess(service)
  tenant = await createTenant({ service, counted }, 'otter')
})

afterAll(async () => {
  await counted?.stop()
  await service?.destroy()
  await postgres?.destroy()
})

/** How a call in Connect JSON was answered: the code, and what the message says. */
async function call(method: DescMethod, message: object): Promise<string> {
  const isStream = method.methodKind !== 'unary'
  const text = Buffer.from(JSON.stringify(message))
  const response = await fetch(`${counted.url}/${method.parent.typeName}/${method.name}`, {
    method: 'POST',
    headers: {
      'content-type': isStream ? 'application/connect+json' : 'application/json',
      'connect-protocol-version': '1',
      ...credentialsOf(method),
    },
    body: isStream ? Buffer.concat([envelopeOf(text), text]) : text,
  })
  const answer = await response.text()
  return /"code":"(\w+)"/.exec(answer)?.[1] ?? 'ok'
}

function envelopeOf(text: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(text.length, 1)
  return head
}

function credentialsOf({ parent }: DescMethod): Record<string, string> {
  const family = parent.typeName.split('.', 1)[0]
  if (family === 'public') return {}
  return family === 'dashboard' || family === 'millrace' ? tenant.asAdmin : { 'x-api-key': tenant.privateKey }
}

test.each([
  ['dashboard.orgs.v1.OrgsService/Get', { orgId: 'a\0b' }, 'orgId'],
  ['dashboard.dashboards.v1.DashboardsService/Create', { displayName: 'a\0b' }, 'displayName'],
  ['public.auth.v1.AuthService/RefreshSession', { refreshToken: 'a\0b' }, 'refreshToken'],
])('%s names the field that holds U+0000', async (path, message, field) => {
  const response = await fetch(`${counted.url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tenant.asAdmin },
    body: JSON.stringify(message),
  })
  expect(await response.json()).toMatchObject({
    code: 'invalid_argument',
    message: `${field}: must not contain the character U+0000`,
  })
})

describe(`a walk with FUZZ_SEED=${SEED}`, () => {
  test.each(METHODS.map((method) => [shortName(method), method] as const))(
    '%s never answers that it does not know what went wrong',
    async (_, method) => {
      const known = Object.values(tenant.names)
      await fc.assert(
        fc.asyncProperty(oddMessages(method.input, known), async (message) => {
          expect(await call(method, message)).not.toMatch(/^(internal|unknown|unavailable|data_loss)$/)
        }),
        { seed: SEED, numRuns: RUNS },
      )
    },
  )
})
