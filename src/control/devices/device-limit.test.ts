import { beforeEach, expect, test } from 'vitest'
import { type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { Devices } from './devices.ts'

const COUNT_MAX = 20
const DAY_MS = 24 * 3_600_000
const FULL: Refusal = ['FailedPrecondition', 'LIMIT_REACHED']

describeCatalog('the limit of devices', (under) => {
  let nowMs: number
  let project: ProjectId
  let other: ProjectId

  const clock = { nowMs: () => nowMs }
  const open = (): Devices =>
    new Devices({
      catalog: under.catalog,
      clock,
      sealer: new Sealer(Buffer.alloc(32, 1)),
      countMax: COUNT_MAX,
    })

  beforeEach(async () => {
    nowMs = 1_000 * DAY_MS
    const organisationId = asOrganisationId('o')
    const row = { id: organisationId, display_name: 'O', created_ms: 1 }
    await under.catalog.insertInto('organisations').values(row).execute()
    project = await insertProject(under.catalog, clock, { organisationId, displayName: 'one' })
    other = await insertProject(under.catalog, clock, { organisationId, displayName: 'two' })
  })

  async function register(devices: Devices, deviceId: string, projectId = project): Promise<void> {
    const facts = { platform: 'android', owner: undefined, properties: '{}' } as const
    await devices.register({ ...facts, projectId, deviceId, token: `of ${deviceId}` })
  }

  async function fill(devices: Devices): Promise<void> {
    for (let index = 0; index < COUNT_MAX; index++) {
      await register(devices, `d${index}`)
      nowMs += DAY_MS
    }
  }

  async function ids(): Promise<string[]> {
    const rows = await under.catalog
      .selectFrom('devices')
      .select('device_id')
      .where('project_id', '=', project)
      .execute()
    return rows.map(({ device_id }) => device_id)
  }

  test('a new device is refused while all are active, and existing ones are unaffected', async () => {
    const devices = open()
    await fill(devices)
    expect(await refusalOf(register(devices, 'new'))).toEqual(FULL)
    expect(await refusalOf(register(devices, 'd0'))).toBeUndefined()
    expect(await refusalOf(register(devices, 'new', other))).toBeUndefined()
    expect(await ids()).toHaveLength(COUNT_MAX)
  })

  test('a new device replaces inactive ones, the stalest first', async () => {
    const devices = open()
    await fill(devices)
    for (const deviceId of ['d7', 'd5', 'd6']) {
      await devices.setStatus({ projectId: project, deviceId }, 'inactive')
      nowMs += 1
    }
    await register(devices, 'new')
    const left = await ids()
    expect(left).not.toContain('d7')
    expect(left).not.toContain('d5')
    expect(left).toEqual(expect.arrayContaining(['d6', 'new']))
  })

  test('a new device replaces one without an update for 270 days', async () => {
    const devices = open()
    await fill(devices)
    nowMs += 251 * DAY_MS
    await register(devices, 'new')
    const left = await ids()
    expect(left).not.toContain('d0')
    expect(left).toEqual(expect.arrayContaining(['d2', 'new']))
  })

  test('a full project is counted again a minute later', async () => {
    const devices = open()
    await fill(devices)
    expect(await refusalOf(register(devices, 'new'))).toEqual(FULL)
    await devices.setStatus({ projectId: project, deviceId: 'd1' }, 'inactive')
    expect(await refusalOf(register(devices, 'new'))).toEqual(FULL)
    nowMs += 60_000
    expect(await refusalOf(register(devices, 'new'))).toBeUndefined()
  })

  test('concurrent processes exceed the limit only slightly', async () => {
    const both = [open(), open()] as const
    for (let index = 0; index < COUNT_MAX * 2; index++)
      await refusalOf(register(both[index % 2 === 0 ? 0 : 1], `d${index}`))
    expect((await ids()).length).toBe(COUNT_MAX)
  })
})
