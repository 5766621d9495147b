import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { addCustomer, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { TokenScope, TokensService } from '../../contract/gen/millrace/account/v1/tokens_service_pb.js'
import { asProjectId, type CustomerId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { findToken, insertToken } from '../../store/catalog/personal-tokens.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { TokenUses } from '../../store/catalog/token-uses.ts'
import { handOver } from '../customers/customers.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { createTokensService } from './tokens-service.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const DAY_MS = 86_400_000
const PROOF_REQUIRED = ['FailedPrecondition', 'SECOND_FACTOR_PROOF_REQUIRED']

describeCatalog('the tokens of an account', (under) => {
  const clock = { nowMs: () => NOW_MS }
  let ada: CustomerId
  let projectId: string

  beforeEach(async () => {
    ada = await addCustomer(under.catalog, 'ada@example.org')
    const { id: organisationId } = await createOrganisation(under.catalog, clock, {
      customerId: ada,
      displayName: 'Org',
    })
    projectId = String(await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' }))
  })

  const as = (customerId: CustomerId): Client<typeof TokensService> =>
    clientOf(TokensService, createTokensService({ catalog: under.catalog, clock }), { customerId })

  const request = (change: object = {}) => ({
    displayName: 'notebook',
    scope: TokenScope.WRITE,
    projectIds: [projectId],
    expireTime: timestampFromMs(NOW_MS + DAY_MS),
    ...change,
  })

  test('are shown once, then listed without their text', async () => {
    const { token, text } = await as(ada).create(request())
    expect(text).toMatch(/^pat_[A-Za-z0-9]{32}$/)
    const { tokens } = await as(ada).list({})
    expect(tokens).toEqual([token])
    expect(token).toMatchObject({
      displayName: 'notebook',
      scope: TokenScope.WRITE,
      projectIds: [projectId],
      masked: `pat_…${text.slice(-4)}`,
      createTime: timestampFromMs(NOW_MS),
      expireTime: timestampFromMs(NOW_MS + DAY_MS),
    })
    expect(token?.lastUsedTime).toBeUndefined()
    expect(await findToken(under.catalog, text)).toMatchObject({ customerId: ada, scope: 'write' })
  })

  test('are those of the caller alone', async () => {
    const eve = await addCustomer(under.catalog, 'eve@example.org')
    const { token } = await as(ada).create(request())
    expect((await as(eve).list({})).tokens).toEqual([])
    const revoke = as(eve).revoke({ id: token?.id ?? '' })
    expect(await refusalOf(revoke)).toEqual(['NotFound', 'TOKEN_NOT_FOUND'])
    await as(ada).revoke({ id: token?.id ?? '' })
    expect((await as(ada).list({})).tokens).toEqual([])
  })

  test.each([
    ['a time that has passed', { expireTime: timestampFromMs(NOW_MS) }, 'must be in the future'],
    ['a year and more', { expireTime: timestampFromMs(NOW_MS + 367 * DAY_MS) }, 'must be within 366 days'],
    ['no end', { expireTime: undefined }, 'is required'],
    ['no scope', { scope: TokenScope.UNSPECIFIED }, 'must be a scope'],
    [
      'an unknown project',
      { projectIds: ['999999'] },
      'projectIds[0]: must be the id of one of your projects',
    ],
    ['no project id', { projectIds: ['x'] }, 'projectIds[0]: must be the id of one of your projects'],
  ])('have not %s', async (_, change, message) => {
    await expect(as(ada).create(request(change))).rejects.toThrow(message)
    expect((await as(ada).list({})).tokens).toEqual([])
  })

  test('are for no project of other people', async () => {
    const eve = await addCustomer(under.catalog, 'eve@example.org')
    await expect(as(eve).create(request())).rejects.toThrow('must be the id of one of your projects')
  })

  test('need a recent proof of an account that has a second factor', async () => {
    const factor = { customer_id: ada, sealed_secret: '', last_step: 0, created_ms: 1, last_ms: 1 }
    await under.catalog.insertInto('totp_factors').values(factor).execute()
    expect(await refusalOf(as(ada).create(request()))).toEqual(PROOF_REQUIRED)
    expect((await as(ada).list({})).tokens).toEqual([])
  })

  test('are at most 100', async () => {
    const token = { customerId: ada, displayName: '', scope: 'read', expiresMs: NOW_MS + DAY_MS } as const
    const projectIds = [asProjectId(Number(projectId))]
    for (let index = 0; index < 100; index++)
      await insertToken(under.catalog, clock, { ...token, projectIds, text: `text ${index}` })
    expect(await refusalOf(as(ada).create(request()))).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
  })

  test('end when somebody else proves the address', async () => {
    const { text } = await as(ada).create(request())
    await handOver(under.catalog, ada)
    expect(await findToken(under.catalog, text)).toBeUndefined()
  })

  test('show their last use once it is written', async () => {
    const { token } = await as(ada).create(request())
    const log = createLogger({ role: 'test', level: 'silent' })
    const uses = new TokenUses(under.catalog, { nowMs: () => NOW_MS + 5000 }, log)
    uses.note(token?.id ?? '')
    uses.note('revoked meanwhile')
    await uses.close()
    expect((await as(ada).list({})).tokens[0]?.lastUsedTime).toEqual(timestampFromMs(NOW_MS + 5000))
  })
})
