import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/local-postgres.ts'
import { sleep, systemClock } from '../../kernel/clock.ts'
import { findApiKey, generateApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { type Catalog, migrateCatalog } from './catalog.ts'
import { withLease } from './lease.ts'
import { BOOTSTRAP_LEASE, bootstrapCatalog, listProjects } from './projects.ts'

const execFileAsync = promisify(execFile)

describeCatalog('the catalog', (under) => {
  let catalog: Catalog
  const noKeys = { publicKey: undefined, privateKey: undefined }

  beforeEach(() => {
    catalog = under.catalog
  })

  test('a second migration changes nothing', async () => {
    await bootstrapCatalog(catalog, systemClock, noKeys)
    await migrateCatalog(catalog)
    expect(await listProjects(catalog)).toHaveLength(1)
  })

  test('of processes that bootstrap at once, one creates the project', async () => {
    const script = `
    const { openCatalog } = await import('./catalog.ts')
    const { bootstrapCatalog } = await import('./projects.ts')
    const catalog = openCatalog(${JSON.stringify(under.place)})
    const made = await bootstrapCatalog(catalog, { nowMs: () => 1 }, {})
    await catalog.destroy()
    process.stdout.write(made === undefined ? 'nothing to do' : 'created')
  `
    const run = async (): Promise<string> => {
      const { stdout } = await execFileAsync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: import.meta.dirname,
      })
      return stdout
    }
    const outcomes = await Promise.all([run(), run(), run()])
    expect(outcomes.sort()).toEqual(['created', 'nothing to do', 'nothing to do'])
    expect(await listProjects(catalog)).toMatchObject([{ displayName: 'Default', reportingTimezone: 'UTC' }])
  })

  test('the first project is made by one process at a time, so that it is number 1', async () => {
    const order: string[] = []
    const other = withLease(catalog, systemClock, BOOTSTRAP_LEASE, async () => {
      const made = bootstrapCatalog(catalog, systemClock, noKeys).finally(() => order.push('made'))
      await sleep(300)
      order.push('the other is done')
      return { made }
    })
    expect(await (await other).made).toMatchObject({ projectId: 1 })
    expect(order).toEqual(['the other is done', 'made'])
  })

  test('a key grants its project and kind until it is revoked', async () => {
    const made = await bootstrapCatalog(catalog, systemClock, {
      ...noKeys,
      publicKey: `pub_${'a'.repeat(20)}`,
    })
    expect(made?.publicKey).toBe(`pub_${'a'.repeat(20)}`)
    const grant = await findApiKey(catalog, made?.privateKey ?? '')
    expect(grant).toEqual({ projectId: made?.projectId, kind: 'private' })
    const row = (await listApiKeys(catalog)).find(({ kind }) => kind === 'private')
    expect(await revokeApiKey(catalog, row?.id ?? '')).toBe(true)
    expect(await findApiKey(catalog, made?.privateKey ?? '')).toBeUndefined()
    expect(await revokeApiKey(catalog, row?.id ?? '')).toBe(false)
  })

  test('neither a key nor its whole text is stored', async () => {
    const made = await bootstrapCatalog(catalog, systemClock, noKeys)
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
  ])('a key that is not of the form finds nothing: %j', async (text) => {
    expect(await findApiKey(catalog, text)).toBeUndefined()
  })

  test('generated keys differ', () => {
    expect(new Set(Array.from({ length: 50 }, () => generateApiKey('public'))).size).toBe(50)
  })

  test('a lease is held by one at a time, and passes on when its time is over', async () => {
    let nowMs = 1000
    const clock = { nowMs: () => nowMs }
    const lease = { name: 'migrate', ttlMs: 500, waitMs: 0 }
    const held = await withLease(catalog, clock, lease, async () => {
      nowMs += 1
      await expect(withLease(catalog, clock, lease, async () => 'other')).rejects.toThrow('held by another')
      nowMs += 500
      return await withLease(catalog, clock, lease, async () => 'taken over')
    })
    expect(held).toBe('taken over')
    expect(await withLease(catalog, clock, lease, async () => 'free again')).toBe('free again')
  })

  test('a lease is left alone by a machine whose clock is behind', async () => {
    const lease = { name: 'ahead', ttlMs: 500, waitMs: 0 }
    const held = await withLease(catalog, { nowMs: () => 400 }, lease, async () => {
      const other = withLease(catalog, { nowMs: () => 0 }, lease, async () => 'taken over')
      await expect(other).rejects.toThrow('held by another')
      return 'held'
    })
    expect(held).toBe('held')
  })

  test('a lease that its holder left behind passes on although the clock was set back', async () => {
    const lease = { name: 'left', ttlMs: 500, waitMs: 0 }
    const held = await withLease(catalog, { nowMs: () => 3_600_000 }, lease, async () => {
      return await withLease(catalog, { nowMs: () => 0 }, lease, async () => 'taken over')
    })
    expect(held).toBe('taken over')
  })

  test('a wait for a lease ends, wherever the clock goes meanwhile', async () => {
    const lease = { name: 'waited', ttlMs: 3_600_000, waitMs: 150 }
    let nowMs = 3_600_000
    const slowed = { nowMs: () => nowMs-- }
    await withLease(catalog, { nowMs: () => nowMs }, lease, async () => {
      nowMs++
      await expect(withLease(catalog, slowed, { ...lease, ttlMs: 7_200_000 }, async () => 0)).rejects.toThrow(
        'held',
      )
    })
  })
})
