import { beforeEach, expect, test } from 'vitest'
import { connectAssistant } from '../../../test/harness/assistant-token.ts'
import { addCustomer } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { findGrant } from '../../store/catalog/assistant-grants.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import type { OauthRecordKind } from '../../store/catalog/schema/assistant-tables.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { createRecordAdapter } from './oauth-records.ts'
import { RecordCleaner } from './record-cleaner.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const DAY_SECONDS = 86_400
const clock = { nowMs: () => NOW_MS }

describeCatalog('the records of the authorization server', (under) => {
  let grantId: string
  let ended: string[]

  beforeEach(async () => {
    ended = []
    const { catalog } = under
    const customerId = await addCustomer(catalog, 'ada@example.org')
    const { id: organisationId } = await createOrganisation(catalog, clock, {
      customerId,
      displayName: 'Org',
    })
    const projectId = await insertProject(catalog, clock, { organisationId, displayName: 'Shop' })
    grantId = (await connectAssistant(catalog, { customerId, projectId: String(projectId) })).id
  })

  /** The adapter of one process. */
  const adapterOf = (kind: OauthRecordKind) =>
    createRecordAdapter(
      {
        ...{ catalog: under.catalog, clock, cleaner: new RecordCleaner(under.catalog, clock) },
        endGrant: async (id) => void ended.push(id),
        invalidGrant: (reason) => new Error(reason),
      },
      kind,
    )
  const expiryOf = async (): Promise<number> => (await findGrant(under.catalog, grantId))?.expiresMs ?? 0

  test('are used once: the second use in another process ends the connection', async () => {
    const codes = adapterOf('AuthorizationCode')
    await codes.upsert('oac_1', { grantId }, 60)
    await codes.consume('oac_1')
    expect(ended).toEqual([])
    // The other process found the code before this one had used it.
    await expect(adapterOf('AuthorizationCode').consume('oac_1')).rejects.toThrow('used already')
    expect(ended).toEqual([grantId])
  })

  test('are found as what they are only', async () => {
    await adapterOf('AuthorizationCode').upsert('oac_1', { grantId, accountId: 'ada' }, 60)
    expect(await adapterOf('AuthorizationCode').find('oac_1')).toMatchObject({ grantId, accountId: 'ada' })
    expect(await adapterOf('RefreshToken').find('oac_1')).toBeUndefined()
  })

  test('are not stored for a consent that has ended', async () => {
    await under.catalog.deleteFrom('oauth_grants').execute()
    const late = adapterOf('AccessToken').upsert('oat_1', { grantId }, 900)
    await expect(late).rejects.toThrow('the consent has ended')
  })

  test('prolong the consent by the newest token, and not by a code', async () => {
    const before = await expiryOf()
    await adapterOf('AuthorizationCode').upsert('oac_1', { grantId }, 3650 * DAY_SECONDS)
    await adapterOf('AccessToken').upsert('oat_1', { grantId }, 1)
    expect(await expiryOf()).toBe(before)
    await adapterOf('RefreshToken').upsert('ort_1', { grantId }, 3650 * DAY_SECONDS)
    expect(await expiryOf()).toBe(NOW_MS + 3650 * DAY_SECONDS * 1000)
  })
})
