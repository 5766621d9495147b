import { expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { insertProject, listProjects } from '../../store/catalog/projects.ts'
import { createOperatorProject, findProject } from './operator-projects.ts'

const clock = { nowMs: () => 1_770_000_000_000 }

describeCatalog('projects of the operator', (under) => {
  const addOrganisation = async (id: string, created_ms: number): Promise<void> => {
    await under.catalog.insertInto('organisations').values({ id, display_name: id, created_ms }).execute()
  }

  const create = async (name: string): Promise<number> =>
    await createOperatorProject(under.catalog, clock, name)

  test('before the first start there is no organisation for a project', async () => {
    await expect(create('Shop')).rejects.toThrow('start the service once')
    expect(await listProjects(under.catalog)).toEqual([])
  })

  test('an empty catalog has no project to find', async () => {
    await expect(findProject(under.catalog, undefined)).rejects.toThrow('there is no project yet')
  })

  test('a project is created in the oldest organisation', async () => {
    await addOrganisation('younger', 2)
    await addOrganisation('older', 1)
    const id = await create('Shop')
    const rows = await under.catalog.selectFrom('projects').select(['id', 'organisation_id']).execute()
    expect(rows).toEqual([{ id, organisation_id: 'older' }])
  })

  test('a name of another organisation is taken too, because commands take names', async () => {
    await addOrganisation('first', 1)
    await addOrganisation('second', 2)
    await insertProject(under.catalog, clock, { organisationId: 'second', displayName: 'Shop' })
    await expect(create('Shop')).rejects.toMatchObject({
      code: 'already_exists',
      message: 'the project Shop already exists',
    })
    expect(await listProjects(under.catalog)).toHaveLength(1)
  })

  test('a full organisation takes no project of the operator either', async () => {
    await addOrganisation('full', 1)
    const names = Array.from({ length: 1000 }, (_, index) => `project ${index}`)
    const rows = names.map((display_name) => ({
      organisation_id: 'full',
      display_name,
      reporting_timezone: 'UTC',
      created_ms: 1,
    }))
    await under.catalog.insertInto('projects').values(rows).execute()
    await expect(create('Shop')).rejects.toMatchObject({ reason: 'LIMIT_REACHED' })
  })

  test.each([
    ['an id', '2', 'Second'],
    ['a name', 'Second', 'Second'],
    ['nothing', undefined, 'First'],
  ])('a project is found by %s', async (_, text, displayName) => {
    await addOrganisation('one', 1)
    for (const name of ['First', 'Second']) await create(name)
    expect(await findProject(under.catalog, text)).toMatchObject({ displayName })
  })

  test('a name of several projects is refused, and so is one of none', async () => {
    await addOrganisation('one', 1)
    await addOrganisation('two', 2)
    for (const organisationId of ['one', 'two'])
      await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' })
    await expect(findProject(under.catalog, 'Shop')).rejects.toThrow('2 projects are named Shop; use an id')
    await expect(findProject(under.catalog, 'shop')).rejects.toThrow('there is no project shop')
  })
})
