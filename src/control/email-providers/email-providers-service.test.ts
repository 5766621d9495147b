import { create } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addCustomer, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { startHttpDouble } from '../../../test/harness/http-double.ts'
import { LOOPBACK } from '../../../test/harness/loopback.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { type LogLine, recordingLog } from '../../../test/harness/recording-log.ts'
import { freePort } from '../../../test/harness/wait.ts'
import {
  OrgEmailProviderKind,
  OrgEmailProvidersService,
  SetRequestSchema,
} from '../../contract/gen/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { asOrganisationId } from '../../contract/ids.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { MailProviders } from '../mail/mail-provider.ts'
import { createEmailProvidersService, redact } from './email-providers-service.ts'
import { parseProvider } from './parse-provider.ts'

const PASSWORD = 'correct horse battery'
const FROM = 'Team <team@example.com>'

describeCatalog('mail providers', (under) => {
  const orgId = 'an-organisation'
  let nowMs: number
  let lines: LogLine[]
  let server: MailServer
  let providers: MailProviders
  let client: ReturnType<typeof clientOf<typeof OrgEmailProvidersService>>

  beforeEach(async () => {
    nowMs = 1_000_000
    lines = []
    server = await startMailServer({ credentials: `team:${PASSWORD}` })
    const { catalog } = under
    await catalog
      .insertInto('organisations')
      .values({ id: orgId, display_name: 'O', created_ms: 1 })
      .execute()
    providers = new MailProviders({ catalog, sealer: new Sealer(Buffer.alloc(32, 1)) })
    client = await connect('http://127.0.0.1:1')
  })

  afterEach(async () => await server.stop())

  async function connect(resendUrl: string) {
    const clock = { nowMs: () => nowMs }
    const reach = { outbound: LOOPBACK, resendUrl }
    const service = createEmailProvidersService({ providers, clock, reach, log: recordingLog(lines) })
    const customerId = await addCustomer(under.catalog, `${Math.random()}@example.org`)
    return clientOf(OrgEmailProvidersService, service, { customerId })
  }

  const smtp = (fields: object = {}) => ({
    orgId,
    fromAddress: FROM,
    config: {
      case: 'smtp' as const,
      value: { host: '127.0.0.1', port: server.port, username: 'team', password: PASSWORD, ...fields },
    },
  })
  const resend = (apiKey: string) => ({
    orgId,
    fromAddress: FROM,
    replyTo: 'help@example.com',
    config: { case: 'resend' as const, value: { apiKey } },
  })

  test('without a provider, reading and testing fail and removing succeeds', async () => {
    const none = ['NotFound', 'EMAIL_PROVIDER_NOT_FOUND']
    expect(await refusalOf(client.get({ orgId }))).toEqual(none)
    expect(await refusalOf(client.sendTest({ orgId, recipient: 'a@example.org' }))).toEqual(none)
    expect(await refusalOf(client.remove({ orgId }))).toBeUndefined()
  })

  test('a provider is read without its secret, which is stored sealed', async () => {
    await client.set(smtp())
    const { kind, fromAddress, replyTo, redactedSecret, updateTime } = await client.get({ orgId })
    expect([kind, fromAddress, replyTo, redactedSecret]).toEqual([
      OrgEmailProviderKind.SMTP,
      FROM,
      '',
      '****tery',
    ])
    expect(updateTime?.seconds).toBe(1000n)
    const rows = await under.catalog.selectFrom('email_providers').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/correct horse|127\.0\.0\.1/)
  })

  test('a provider is replaced and removed', async () => {
    await client.set(smtp())
    nowMs += 5000
    await client.set(resend('re_0123456789abcdef'))
    expect(await client.get({ orgId })).toMatchObject({
      kind: OrgEmailProviderKind.RESEND,
      replyTo: 'help@example.com',
      redactedSecret: '****cdef',
      updateTime: { seconds: 1005n },
    })
    await client.remove({ orgId })
    expect(await refusalOf(client.get({ orgId }))).toEqual(['NotFound', 'EMAIL_PROVIDER_NOT_FOUND'])
  })

  test('an empty password keeps the stored one for the same host, port, user and protection only', async () => {
    await client.set(smtp())
    await client.set(smtp({ password: '' }))
    expect(await client.sendTest({ orgId, recipient: 'a@example.org' })).toMatchObject({ success: true })
    const refused = ['InvalidArgument', 'INVALID_REQUEST']
    const changes = [
      { host: 'localhost' },
      { port: await freePort() },
      { port: 465 },
      { username: 'other' },
      { useTls: true },
    ]
    const refusals = changes.map(
      async (change) => await refusalOf(client.set(smtp({ password: '', ...change }))),
    )
    expect(await Promise.all(refusals)).toEqual(changes.map(() => refused))
    await client.set(resend('re_0123456789abcdef'))
    expect(await refusalOf(client.set(smtp({ password: '' })))).toEqual(refused)
  })

  test('a test mail is sent immediately, and a failure is in the response', async () => {
    await client.set(smtp())
    expect(await client.sendTest({ orgId, recipient: 'a@example.org' })).toMatchObject({
      success: true,
      errorMessage: '',
    })
    expect(server.mails).toMatchObject([{ from: 'team@example.com', to: ['a@example.org'] }])
    await client.set(smtp({ password: 'wrong' }))
    const refused = await client.sendTest({ orgId, recipient: 'a@example.org' })
    expect(refused).toMatchObject({
      success: false,
      errorMessage: 'the mail server rejected the credentials; check user name and password',
    })
    expect(lines).toMatchObject([
      { fields: { organisation: orgId, err: expect.stringContaining('reply 535') } },
    ])
    expect(JSON.stringify(lines)).not.toContain('wrong')
    await client.set(smtp({ port: await freePort() }))
    expect(await client.sendTest({ orgId, recipient: 'a@example.org' })).toMatchObject({
      success: false,
      errorMessage: expect.stringContaining('the mail server cannot be reached'),
    })
  })

  test('a failed test mail through Resend shows none of its messages', async () => {
    const double = await startHttpDouble(() => ({ status: 403, body: { message: 'domain is not verified' } }))
    try {
      const withResend = await connect(double.url)
      await withResend.set(resend('re_0123456789abcdef'))
      expect(await withResend.sendTest({ orgId, recipient: 'a@example.org' })).toMatchObject({
        success: false,
        errorMessage: 'Resend rejected the sender; verify its domain at Resend, and check the API key',
      })
    } finally {
      await double.stop()
    }
  })

  test('a provider sealed for one organisation cannot be unsealed for another', async () => {
    await client.set(smtp())
    await under.catalog
      .insertInto('organisations')
      .values({ id: 'other', display_name: 'P', created_ms: 1 })
      .execute()
    const row = await under.catalog.selectFrom('email_providers').selectAll().executeTakeFirstOrThrow()
    await under.catalog
      .insertInto('email_providers')
      .values({ ...row, organisation_id: 'other' })
      .execute()
    await expect(providers.find(asOrganisationId('other'))).rejects.toThrow()
  })
})

test.each([
  ['', ''],
  ['abc', '****'],
  ['12345678', '****78'],
  ['0123456789abcdef', '****cdef'],
  ['x'.repeat(100), '****xxxx'],
])('the secret %j is shown as %j', (secret, shown) => {
  expect(redact(secret)).toBe(shown)
})

test.each([
  [465, false, 'tls'],
  [465, true, 'tls'],
  [587, true, 'starttls'],
  [587, false, 'opportunistic'],
])('port %i with use_tls %s means %s', (port, useTls, protection) => {
  const value = { host: 'mail.test', port, username: '', password: '', useTls }
  const request = create(SetRequestSchema, { fromAddress: FROM, config: { case: 'smtp', value } })
  expect(parseProvider(request, undefined).config).toMatchObject({ server: { protection } })
})

test.each([
  ['fromAddress', { fromAddress: 'nobody' }],
  ['replyTo', { replyTo: 'Team <team@example.com>' }],
  ['config', { config: { case: undefined } }],
  ['smtp.host', { host: 'mail.test/x' }],
  ['smtp.host', { host: 'mail test' }],
  ['smtp.username', { username: '', password: 'p' }],
  ['smtp.password', { username: 'u', password: '' }],
])('the error of an invalid %s names the field', (field, fields) => {
  const value = { host: 'mail.test', port: 25, username: '', password: '', ...fields }
  const init = { fromAddress: FROM, config: { case: 'smtp', value }, ...fields } as const
  const request = create(SetRequestSchema, init as Parameters<typeof create<typeof SetRequestSchema>>[1])
  expect(() => parseProvider(request, undefined)).toThrow(`${field}: `)
})

test('a Resend key that is invalid in a header is rejected', () => {
  const config = { case: 'resend', value: { apiKey: 're_1\r\nx: y' } } as const
  const request = create(SetRequestSchema, { fromAddress: FROM, config })
  expect(() => parseProvider(request, undefined)).toThrow('resend.apiKey: ')
})
