import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { addCustomer, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { createFirstProject } from '../../../test/harness/first-project.ts'
import {
  ApiKeysService,
  RotateRequestSchema,
} from '../../contract/gen/millrace/keys/v1/api_keys_service_pb.js'
import { asOrganisationId, asProjectId, type ProjectId } from '../../contract/ids.ts'
import { findApiKey, listProjectKeys } from '../../store/catalog/api-keys.ts'
import { findLimitRefusal } from '../../store/catalog/key-limits.ts'
import { createApiKeysService } from './api-keys-service.ts'
import { createProjectKey } from './project-keys.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const DAY_MS = 86_400_000

describeCatalog('the limits of keys', (under) => {
  const clock = { nowMs: () => NOW_MS }
  let keys: Client<typeof ApiKeysService>
  let projectId: ProjectId

  beforeEach(async () => {
    const made = await createFirstProject(under.catalog)
    projectId = asProjectId(made?.projectId ?? 0)
    const customerId = await addCustomer(under.catalog, 'ada@example.org')
    const project = { projectId, organisationId: asOrganisationId('o'), role: 'admin' } as const
    keys = clientOf(ApiKeysService, createApiKeysService({ catalog: under.catalog, clock }), {
      customerId,
      project,
    })
  })

  const addKey = async (allowedAddresses: string[] = []) =>
    await createProjectKey(under.catalog, clock, {
      projectId,
      kind: 'private',
      displayName: 'billing',
      expiresMs: undefined,
      allowedAddresses,
    })

  /** The refusal of a key at a time from an address. */
  const refusal = async (text: string, nowMs: number, address = '192.0.2.1'): Promise<string | undefined> => {
    const grant = await findApiKey(under.catalog, text)
    if (!grant) return 'unknown'
    return grant.limits && findLimitRefusal(grant.limits, { nowMs, readAddress: () => address })?.reason
  }

  test('replace those from before, and an empty request removes them', async () => {
    const { row, text } = await addKey()
    const expireTime = timestampFromMs(NOW_MS + DAY_MS)
    const { apiKey } = await keys.update({
      id: row.id,
      expireTime,
      allowedAddresses: ['203.0.113.0/24', '2001:DB8::/32', '203.0.113.0/24'],
    })
    expect(apiKey).toMatchObject({
      id: row.id,
      expireTime,
      allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
    })
    expect(await refusal(text, NOW_MS, '203.0.113.7')).toBeUndefined()
    expect(await refusal(text, NOW_MS, '192.0.2.1')).toBe('ADDRESS_NOT_ALLOWED')
    expect(await refusal(text, NOW_MS + DAY_MS, '203.0.113.7')).toBe('API_KEY_EXPIRED')
    await keys.update({ id: row.id })
    expect(await refusal(text, NOW_MS + 9 * DAY_MS)).toBeUndefined()
  })

  test.each([
    'example.org',
    '203.0.113.0/33',
    '203.0.113.0/24/24',
    '2001:db8::/129',
    '10.0.0.1/',
    '10.0.0.1 10.0.0.2',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    '',
  ])('a list takes no %j', async (address) => {
    const { row } = await addKey()
    const change = keys.update({ id: row.id, allowedAddresses: ['10.0.0.1', address] })
    expect(await refusalOf(change)).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    await expect(change).rejects.toThrow('allowedAddresses[1]: must be an address')
  })

  test('a key cannot end in the past', async () => {
    const { row } = await addKey()
    const expireTime = timestampFromMs(NOW_MS)
    await expect(keys.update({ id: row.id, expireTime })).rejects.toThrow('expireTime: must be in the future')
    const endOfTime = { ...timestampFromMs(Date.UTC(10_000, 0, 1) - 1000), nanos: 999_999_999 }
    await expect(keys.update({ id: row.id, expireTime: endOfTime })).rejects.toThrow(
      'expireTime: must be before the year 10000',
    )
    await expect(keys.rotate({ id: row.id, oldExpireTime: expireTime })).rejects.toThrow(
      'oldExpireTime: must be in the future',
    )
    await expect(keys.rotate(create(RotateRequestSchema, { id: row.id }))).rejects.toThrow('is required')
  })

  test('rotation leaves two keys until the chosen time, then one', async () => {
    const { row, text } = await addKey(['10.0.0.0/8'])
    const oldExpireTime = timestampFromMs(NOW_MS + DAY_MS)
    const { apiKey, key, oldApiKey } = await keys.rotate({ id: row.id, oldExpireTime })
    expect(oldApiKey).toMatchObject({ id: row.id, expireTime: oldExpireTime })
    expect(apiKey).toMatchObject({
      displayName: 'billing',
      kind: oldApiKey?.kind,
      allowedAddresses: ['10.0.0.0/8'],
    })
    expect(apiKey?.expireTime).toBeUndefined()
    expect(key).not.toBe(text)
    const at = async (nowMs: number) => [
      await refusal(text, nowMs, '10.1.1.1'),
      await refusal(key, nowMs, '10.1.1.1'),
    ]
    expect(await at(NOW_MS + DAY_MS - 1)).toEqual([undefined, undefined])
    expect(await at(NOW_MS + DAY_MS)).toEqual(['API_KEY_EXPIRED', undefined])
  })

  test('rotation never prolongs the old key', async () => {
    const { row } = await addKey()
    const sooner = timestampFromMs(NOW_MS + DAY_MS)
    await keys.update({ id: row.id, expireTime: sooner })
    const { oldApiKey } = await keys.rotate({
      id: row.id,
      oldExpireTime: timestampFromMs(NOW_MS + 9 * DAY_MS),
    })
    expect(oldApiKey?.expireTime).toEqual(sooner)
  })

  test('a key of another project is not found, and rotation at the limit changes nothing', async () => {
    const oldExpireTime = timestampFromMs(NOW_MS + DAY_MS)
    const unknown = keys.rotate({ id: 'unknown', oldExpireTime })
    expect(await refusalOf(unknown)).toEqual(['NotFound', 'API_KEY_NOT_FOUND'])
    expect(await refusalOf(keys.update({ id: 'unknown' }))).toEqual(['NotFound', 'API_KEY_NOT_FOUND'])
    const { row } = await addKey()
    const others = Array.from({ length: 100 }, (_, index) => ({
      ...{ id: `k${index}`, project_id: projectId, kind: 'public' as const, display_name: '', masked: '' },
      ...{ sha256: `${index}`, created_ms: NOW_MS, expires_ms: null },
    }))
    await under.catalog.insertInto('api_keys').values(others).execute()
    expect(await refusalOf(keys.rotate({ id: row.id, oldExpireTime }))).toEqual([
      'FailedPrecondition',
      'LIMIT_REACHED',
    ])
    const found = (await listProjectKeys(under.catalog, projectId)).find(({ id }) => id === row.id)
    expect(found?.expiresMs).toBeUndefined()
  })
})
