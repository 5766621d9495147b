import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../../test/harness/describe-catalog.ts'
import { asProjectId } from '../../../contract/ids.ts'
import { Sealer } from '../../../kernel/sealer.ts'
import {
  type Catalog,
  checkpointCatalog,
  migrateCatalog,
  openCatalog,
} from '../../../store/catalog/catalog.ts'
import { DeletionRequests } from './deletion-requests.ts'

const ALICE = { projectId: asProjectId(1), externalId: 'alice@example.org', profileId: 'p-1' }

describeCatalog('deletion requests', (under) => {
  let catalog: Catalog
  let requests: DeletionRequests

  beforeEach(() => {
    catalog = under.catalog
    requests = openRequests(catalog)
  })

  test('a request is created with its job', async () => {
    const request = await requests.create(ALICE)
    expect(request).toEqual({
      ...ALICE,
      id: expect.any(String),
      status: 'pending',
      eventsIdentified: 0,
      requestedMs: 1000,
      completedMs: undefined,
      error: '',
    })
    const jobs = await catalog.selectFrom('jobs').selectAll().execute()
    expect(jobs).toMatchObject([{ kind: 'erase-person', payload: JSON.stringify({ requestId: request.id }) }])
  })

  test('a user has one running request', async () => {
    const made = await Promise.all([requests.create(ALICE), requests.create(ALICE), requests.create(ALICE)])
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    await requests.start(made[0].id)
    expect((await requests.create(ALICE)).id).toBe(made[0].id)
    expect(await requests.findRunning(ALICE)).toMatchObject({ status: 'processing' })
    expect(await catalog.selectFrom('jobs').selectAll().execute()).toHaveLength(1)
    const other = await requests.create({ ...ALICE, projectId: asProjectId(2) })
    expect(other.id).not.toBe(made[0].id)
  })

  test('after it has ended, a new one can be created', async () => {
    const { id } = await requests.create(ALICE)
    await requests.setEvents(id, 7)
    await requests.complete(id)
    expect(await requests.read(id)).toMatchObject({
      status: 'completed',
      eventsIdentified: 7,
      completedMs: 1000,
    })
    expect(await requests.findRunning(ALICE)).toBeUndefined()
    expect((await requests.create(ALICE)).id).not.toBe(id)
  })

  test('a completed request neither restarts nor fails', async () => {
    const { id } = await requests.create(ALICE)
    await requests.complete(id)
    await requests.start(id)
    await requests.fail(id, 'late')
    expect(await requests.read(id)).toMatchObject({ status: 'completed', error: '' })
  })

  test('a request is found in its project only', async () => {
    const { id } = await requests.create(ALICE)
    expect(await requests.find({ projectId: asProjectId(1), id })).toMatchObject({
      externalId: ALICE.externalId,
    })
    expect(await requests.find({ projectId: asProjectId(2), id })).toBeUndefined()
  })
})

test('no file of the catalog holds the external id', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deletions-'))
  const catalog = openCatalog({ dataDir })
  await migrateCatalog(catalog)
  await openRequests(catalog).create(ALICE)
  await checkpointCatalog(catalog)
  const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)))
  expect(files.some((bytes) => bytes.includes('p-1'))).toBe(true)
  expect(files.some((bytes) => bytes.includes(ALICE.externalId))).toBe(false)
  await catalog.destroy()
  rmSync(dataDir, { recursive: true })
})

function openRequests(catalog: Catalog): DeletionRequests {
  return new DeletionRequests({
    catalog,
    clock: { nowMs: () => 1000 },
    sealer: new Sealer(Buffer.alloc(32, 1)),
  })
}
