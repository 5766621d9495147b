import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { createFirstProject } from '../../../test/harness/first-project.ts'
import { findApiKey, generateApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { CATALOG_SCHEMA, type Catalog, migrateCatalog, readCatalogSchema } from './catalog.ts'
import { withLease } from './lease.ts'
import { invitationLinks } from './migrations/021-invitation-links.ts'
import { listProjects } from './projects.ts'

describeCatalog('the catalog', (under) => {
  let catalog: Catalog

  beforeEach(() => {
    catalog = under.catalog
  })

  test('migrations run in the order of their names, which never change', async () => {
    const { rows } = await sql<{ readonly name: string }>`
      SELECT name FROM kysely_migration ORDER BY timestamp, name`.execute(catalog)
    expect(rows.map(({ name }) => name)).toEqual([
      '001-tenants',
      '002-leases',
      '003-jobs',
      '004-deletion-requests',
      '010-customers',
      '011-organisations',
      '012-dashboards',
      '013-mail-and-push',
      '014-sign-in-attempts',
      '015-refresh-time',
      '016-sign-ins',
      '017-goals',
      '018-project-options',
      '019-project-domains',
      '020-returned-links',
      '021-invitation-links',
      '022-share-options',
      '023-cohorts',
      '024-library',
      '025-recurring-jobs',
      '026-channels',
      '027-dictionary',
      '028-alerts',
      '029-reports',
      '030-job-lanes',
      '031-imports',
      '032-identities',
      '033-audit',
      '034-key-limits',
      '035-personal-tokens',
      '036-second-factors',
      '037-passkeys',
      '038-assistants',
      '039-project-roles',
      '040-project-retention',
      '041-audit-objects',
      '042-dashboard-guests',
      '043-invitation-roles',
      '044-invitation-mails',
    ])
    expect(await readCatalogSchema(catalog)).toBe(CATALOG_SCHEMA)
  })

  test('an unused invitation link from before 021 opens no account', async () => {
    const link = { email: 'a@example.org', returned: 0, created_ms: 1, expires_ms: 2 }
    const links = [
      { ...link, sha256: 'invitation', invitation_id: 'i', used_ms: null },
      { ...link, sha256: 'sign-in', invitation_id: null, used_ms: null },
      { ...link, sha256: 'used', invitation_id: 'i', used_ms: 1 },
    ]
    await catalog.insertInto('magic_links').values(links).execute()
    await invitationLinks.up(catalog)
    const rows = await catalog.selectFrom('magic_links').select(['sha256', 'returned']).execute()
    expect(Object.fromEntries(rows.map(({ sha256, returned }) => [sha256, returned]))).toEqual({
      invitation: 1,
      'sign-in': 0,
      used: 0,
    })
  })

  test('a second migration changes nothing', async () => {
    await createFirstProject(catalog)
    await migrateCatalog(catalog)
    expect(await listProjects(catalog)).toHaveLength(1)
  })

  test('a key grants its project and kind until it is revoked', async () => {
    const made = await createFirstProject(catalog, { publicKey: `pub_${'a'.repeat(20)}` })
    expect(made?.publicKey).toBe(`pub_${'a'.repeat(20)}`)
    const grant = await findApiKey(catalog, made?.privateKey ?? '')
    const rights = { projectId: made?.projectId, kind: 'private', domains: [], blockedKinds: [] }
    expect(grant).toEqual({ ...rights, keyId: expect.any(String) })
    const row = (await listApiKeys(catalog)).find(({ kind }) => kind === 'private')
    expect(await revokeApiKey(catalog, row?.id ?? '')).toBe(true)
    expect(await findApiKey(catalog, made?.privateKey ?? '')).toBeUndefined()
    expect(await revokeApiKey(catalog, row?.id ?? '')).toBe(false)
  })

  test('neither a key nor its whole text is stored', async () => {
    const made = await createFirstProject(catalog)
    const rows = JSON.stringify(await catalog.selectFrom('api_keys').selectAll().execute())
    expect(made?.privateKey).toMatch(/^prv_[A-Za-z0-9]{32}$/)
    expect(rows).not.toContain(made?.privateKey)
    expect(rows).not.toContain(made?.publicKey)
  })

  test.each([
    '',
    'pub_',
    'prv_short',
    `prv_${'a'.repeat(65)}`,
    `sec_${'a'.repeat(30)}`,
    `pub_${'é'.repeat(20)}`,
  ])('a malformed key is not found: %j', async (text) => {
    expect(await findApiKey(catalog, text)).toBeUndefined()
  })

  test('generated keys differ', () => {
    expect(new Set(Array.from({ length: 50 }, () => generateApiKey('public'))).size).toBe(50)
  })

  test('one process holds a lease at a time, and another one takes it over after it expires', async () => {
    let nowMs = 1000
    const clock = { nowMs: () => nowMs }
    const lease = { catalog, clock, name: 'migrate', ttlMs: 500, waitMs: 0 }
    const held = await withLease(lease, async () => {
      nowMs += 1
      await expect(withLease(lease, async () => 'other')).rejects.toThrow('held by another')
      nowMs += 500
      return await withLease(lease, async () => 'taken over')
    })
    expect(held).toBe('taken over')
    expect(await withLease(lease, async () => 'free again')).toBe('free again')
  })

  test('a machine with a slow clock does not take a valid lease', async () => {
    const lease = { catalog, name: 'ahead', ttlMs: 500, waitMs: 0 }
    const held = await withLease({ ...lease, clock: { nowMs: () => 400 } }, async () => {
      const other = withLease({ ...lease, clock: { nowMs: () => 0 } }, async () => 'taken over')
      await expect(other).rejects.toThrow('held by another')
      return 'held'
    })
    expect(held).toBe('held')
  })

  test('an abandoned lease can be taken over after the clock was set back', async () => {
    const lease = { catalog, name: 'left', ttlMs: 500, waitMs: 0 }
    const held = await withLease({ ...lease, clock: { nowMs: () => 3_600_000 } }, async () => {
      return await withLease({ ...lease, clock: { nowMs: () => 0 } }, async () => 'taken over')
    })
    expect(held).toBe('taken over')
  })

  test('waiting for a lease ends in time even when the clock is changed', async () => {
    const lease = { catalog, name: 'waited', ttlMs: 3_600_000, waitMs: 150 }
    let nowMs = 3_600_000
    const slowed = { nowMs: () => nowMs-- }
    await withLease({ ...lease, clock: { nowMs: () => nowMs } }, async () => {
      nowMs++
      await expect(withLease({ ...lease, clock: slowed, ttlMs: 7_200_000 }, async () => 0)).rejects.toThrow(
        'held',
      )
    })
  })
})
