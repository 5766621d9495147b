import { expect, test } from 'vitest'
import { asCustomerId, asProjectId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { ProjectAccessReader } from './project-access-reader.ts'

const KEY = { customerId: asCustomerId('alice'), projectId: asProjectId(7) }
const ADMIN = { organisation_id: 'org', role: 'admin' }
const LEFT = { organisation_id: 'org', role: null }

type AccessRow = typeof ADMIN | typeof LEFT

/** A catalog that answers the one statement of the reader, as often as there are rows. */
function catalogOf(...rows: readonly (AccessRow | Promise<AccessRow>)[]): Catalog {
  const answers = [...rows]
  const statement: object = new Proxy(
    {},
    {
      get: (_, method) => () => (method === 'executeTakeFirst' ? answers.shift() : statement),
    },
  )
  return statement as Catalog
}

test('access is read once, and from the cache afterwards', async () => {
  const reader = new ProjectAccessReader(catalogOf(ADMIN, LEFT))
  await reader.read(KEY)
  expect(await reader.read(KEY)).toMatchObject({ role: 'admin' })
})

test('after forget() the next call reads the catalog', async () => {
  const reader = new ProjectAccessReader(catalogOf(ADMIN, LEFT))
  await reader.read(KEY)
  reader.forget()
  await expect(reader.read(KEY)).rejects.toMatchObject({ code: 'permission_denied' })
})

test('a look-up that began before forget() does not fill the cache', async () => {
  const before = Promise.withResolvers<AccessRow>()
  const reader = new ProjectAccessReader(catalogOf(before.promise, LEFT))
  const underWay = reader.read(KEY)
  reader.forget()
  before.resolve(ADMIN)
  expect(await underWay).toMatchObject({ role: 'admin' })
  await expect(reader.read(KEY)).rejects.toMatchObject({ code: 'permission_denied' })
})
