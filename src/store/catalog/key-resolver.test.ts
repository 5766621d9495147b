import { beforeEach, expect, test, vi } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { createFirstProject } from '../../../test/harness/first-project.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { listApiKeys, revokeApiKey } from './api-keys.ts'
import { KeyResolver } from './key-resolver.ts'

const publicKey = `pub_${'a'.repeat(24)}`
const privateKey = `prv_${'a'.repeat(24)}`

describeCatalog('keys', (under) => {
  let keys: KeyResolver

  beforeEach(async () => {
    await createFirstProject(under.catalog, { publicKey, privateKey })
    keys = new KeyResolver(under.catalog)
  })

  test('a revoked key stops working within seconds', async () => {
    expect(await keys.resolve(publicKey)).toMatchObject({ kind: 'public' })
    const row = (await listApiKeys(under.catalog)).find(({ kind }) => kind === 'public')
    await revokeApiKey(under.catalog, row?.id ?? '')
    const gone = await waitFor('the key to be unknown', async () =>
      (await keys.resolve(publicKey)) === null ? 'unknown' : undefined,
    )
    expect(gone).toBe('unknown')
  })

  test('requests with a known key read no catalog, with or without limits, and new keys share a statement', async () => {
    let built = 0
    let statements = 0
    const counted = under.catalog.withPlugin({
      transformQuery: ({ node }) => {
        built++
        return node
      },
      transformResult: async ({ result }) => {
        statements++
        return await Promise.resolve(result)
      },
    })
    await under.catalog
      .updateTable('api_keys')
      .set({ expires_ms: 1, allowed_addresses: '192.0.2.0/24' })
      .where('kind', '=', 'private')
      .execute()
    const resolver = new KeyResolver(counted)
    const grants = await Promise.all([publicKey, privateKey].map((key) => resolver.resolve(key)))
    expect(grants.map((grant) => grant?.limits !== undefined)).toEqual([false, true])
    expect([built, statements]).toEqual([1, 2])
    for (let request = 0; request < 100; request++)
      expect([publicKey, privateKey].map((key) => resolver.peek(key))).toEqual(grants)
    expect([built, statements]).toEqual([1, 2])
  })

  test('a malformed key is rejected immediately and is not cached', async () => {
    const texts = ['', 'x'.repeat(60_000), `${publicKey}!`, publicKey.slice(0, 12)]
    expect(texts.map((text) => keys.peek(text))).toEqual(texts.map(() => null))
    expect(await Promise.all(texts.map((text) => keys.resolve(text)))).toEqual(texts.map(() => null))
    expect(keys.peek(`pub_${'b'.repeat(24)}`)).toBeUndefined()
  })

  test('while the catalog is unreadable, a known key stays valid and unknown keys are errors', async () => {
    expect(await keys.resolve(publicKey)).toMatchObject({ kind: 'public' })
    await under.catalog.destroy()
    await vi.waitUntil(() => keys.peek(publicKey) === undefined, { timeout: 10_000 })
    expect(await keys.resolve(publicKey)).toMatchObject({ kind: 'public' })
    await expect(keys.resolve(privateKey)).rejects.toThrow()
  })
})
