import { beforeEach, expect, test } from 'vitest'
import { clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { DevicesService } from '../../contract/gen/sdk/devices/v1/devices_service_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { Devices } from './devices.ts'
import { createDevicesService } from './devices-service.ts'
import { type EraseDevicesParts, eraseDevices } from './erase-devices.ts'

const ANDROID = { deviceId: 'd1', platform: 'android', token: 'token-one' }
const ALL = 1000

describeCatalog('devices', (under) => {
  let nowMs: number
  let devices: Devices
  let project: ProjectId
  let other: ProjectId

  const clock = { nowMs: () => nowMs }
  const organisationId = asOrganisationId('o')
  const inProject = (projectId: ProjectId) =>
    clientOf(DevicesService, createDevicesService(devices), {
      customerId: asCustomerId('c'),
      project: { projectId, organisationId, role: 'admin' },
    })
  const active = async (projectId: ProjectId) => await devices.listActive({ projectId, deviceId: '' }, ALL)

  beforeEach(async () => {
    nowMs = 1_000_000
    const { catalog } = under
    await catalog
      .insertInto('organisations')
      .values({ id: organisationId, display_name: 'O', created_ms: 1 })
      .execute()
    project = await insertProject(catalog, clock, { organisationId, displayName: 'one' })
    other = await insertProject(catalog, clock, { organisationId, displayName: 'two' })
    devices = new Devices({ catalog, clock, sealer: new Sealer(Buffer.alloc(32, 1)), countMax: 1000 })
  })

  test('a registered device is a recipient, and is stored without personal data in the clear', async () => {
    const properties = { model: 'Pixel Nine' }
    await inProject(project).subscribe({ ...ANDROID, profileExternalId: 'ada@example.org', properties })
    expect(await active(project)).toEqual([ANDROID])
    expect(await active(other)).toEqual([])
    const rows = await under.catalog.selectFrom('devices').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/token-one|ada@|Pixel/)
  })

  test('a token for an unknown device leaves its current device unchanged', async () => {
    const client = inProject(project)
    await client.subscribe(ANDROID)
    expect(await refusalOf(client.updateToken({ id: 'd2', token: ANDROID.token }))).toEqual([
      'NotFound',
      'DEVICE_NOT_FOUND',
    ])
    expect(await active(project)).toEqual([ANDROID])
  })

  test('a second registration replaces the first', async () => {
    const client = inProject(project)
    await client.subscribe(ANDROID)
    nowMs += 1000
    await client.updateStatus({ id: 'd1', status: 'inactive' })
    await client.subscribe({ ...ANDROID, platform: 'web', token: 'token-two' })
    expect(await active(project)).toEqual([{ deviceId: 'd1', platform: 'web', token: 'token-two' }])
    const rows = await under.catalog.selectFrom('devices').selectAll().execute()
    expect(rows.map(({ created_ms, updated_ms }) => [Number(created_ms), Number(updated_ms)])).toEqual([
      [1_000_000, 1_001_000],
    ])
  })

  test('concurrent registrations of a device create one device', async () => {
    const client = inProject(project)
    const ids = Array.from({ length: 8 }, (_, index) => `d${index % 2}`)
    await Promise.all(
      ids.map((deviceId) => client.subscribe({ ...ANDROID, deviceId, token: `of ${deviceId}` })),
    )
    expect(await active(project)).toMatchObject([{ deviceId: 'd0' }, { deviceId: 'd1' }])
  })

  test('an inactive device is not a recipient until it is active again', async () => {
    const client = inProject(project)
    await client.subscribe(ANDROID)
    await client.updateStatus({ id: 'd1', status: 'inactive' })
    expect(await active(project)).toEqual([])
    await client.updateStatus({ id: 'd1', status: 'active' })
    expect(await active(project)).toEqual([ANDROID])
  })

  test('a token is replaced', async () => {
    await inProject(project).subscribe(ANDROID)
    await inProject(project).updateToken({ id: 'd1', token: 'token-two' })
    expect(await active(project)).toEqual([{ ...ANDROID, token: 'token-two' }])
  })

  test('a token belongs to the device that registered it last, within its project', async () => {
    const client = inProject(project)
    await client.subscribe(ANDROID)
    await inProject(other).subscribe(ANDROID)
    await client.subscribe({ ...ANDROID, deviceId: 'd2' })
    expect(await active(project)).toMatchObject([{ deviceId: 'd2' }])
    await client.subscribe({ ...ANDROID, deviceId: 'd3', token: 'token-three' })
    await client.updateToken({ id: 'd3', token: ANDROID.token })
    expect(await active(project)).toMatchObject([{ deviceId: 'd3' }])
    expect(await active(other)).toMatchObject([{ deviceId: 'd1' }])
  })

  test('an unknown device, or one of another project, is not found', async () => {
    await inProject(other).subscribe(ANDROID)
    const client = inProject(project)
    const notFound = ['NotFound', 'DEVICE_NOT_FOUND']
    expect(await refusalOf(client.updateStatus({ id: 'd1', status: 'inactive' }))).toEqual(notFound)
    expect(await refusalOf(client.updateToken({ id: 'd1', token: 'x' }))).toEqual(notFound)
    expect(await active(other)).toEqual([ANDROID])
  })

  test('the size of properties is limited', async () => {
    const properties = { text: 'x'.repeat(16 * 1024) }
    const refused = ['InvalidArgument', 'INVALID_REQUEST']
    expect(await refusalOf(inProject(project).subscribe({ ...ANDROID, properties }))).toEqual(refused)
  })

  test('active devices are listed in pages', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const deviceId of ids)
      await inProject(project).subscribe({ ...ANDROID, deviceId, token: `of ${deviceId}` })
    const pages: string[][] = []
    for (const after of ['', 'b', 'd', 'e']) {
      const page = await devices.listActive({ projectId: project, deviceId: after }, 2)
      pages.push(page.map(({ deviceId }) => deviceId))
    }
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e'], []])
  })

  test('an unregistered token deactivates its device, unless the device has a new one', async () => {
    await inProject(project).subscribe(ANDROID)
    const key = { projectId: project, deviceId: 'd1' }
    await devices.retireToken(under.catalog, key, 'an older token')
    expect(await active(project)).toEqual([ANDROID])
    await devices.retireToken(under.catalog, key, ANDROID.token)
    expect(await active(project)).toEqual([])
  })

  test("an erasure deletes the deliveries of a user's devices, then the devices", async () => {
    const client = inProject(project)
    const owners = {
      'by-external-id': { profileExternalId: 'ada' },
      'by-profile-id': { profileId: 'profile-of-ada' },
      'by-anonymous-id': { profileId: 'anon-of-ada' },
      identified: {},
      'of-bob': { profileExternalId: 'bob' },
      'of-a-profile-named-ada': { profileId: 'ada' },
      'of-nobody': {},
    }
    for (const [deviceId, owner] of Object.entries(owners))
      await client.subscribe({ ...ANDROID, deviceId, token: `of ${deviceId}`, ...owner })
    await inProject(other).subscribe({ ...ANDROID, ...owners['by-external-id'] })
    const erased: string[] = []
    const parts: EraseDevicesParts = {
      devices,
      readAliases: async () => ({ deviceIds: ['identified'], anonymousIds: ['anon-of-ada'] }),
      eraseDeliveries: async ({ deviceIds }) => {
        expect(await active(project)).toHaveLength(7)
        erased.push(...deviceIds)
      },
    }
    const subject = { projectId: project, externalId: 'ada', profileId: 'profile-of-ada' }
    await eraseDevices(parts, subject)
    const gone = ['by-anonymous-id', 'by-external-id', 'by-profile-id', 'identified']
    expect(erased.sort()).toEqual(gone)
    const left = ['of-a-profile-named-ada', 'of-bob', 'of-nobody']
    expect((await active(project)).map(({ deviceId }) => deviceId)).toEqual(left)
    expect(await active(other)).toHaveLength(1)
  })
})
