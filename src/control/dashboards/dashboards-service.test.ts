import type { MessageInitShape } from '@bufbuild/protobuf'
import { create, fromJson, type JsonObject, toJson } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Client, ConnectError } from '@connectrpc/connect'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientOf, type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { TimeRangePreset } from '../../contract/gen/common/v1/time_range_pb.js'
import {
  type Dashboard,
  type DashboardTile,
  DashboardTileInputSchema,
  DashboardTileSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import {
  ComparePeriod,
  DashboardTileViewMode,
  ThresholdRule_Operator,
  ThresholdRule_Tone,
} from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import { BadRequestSchema } from '../../contract/gen/google/rpc/error_details_pb.js'
import { Granularity, InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { createLogger } from '../../kernel/log.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { isShareEmbeddable } from './dashboard-store.ts'
import { createDashboardsService, type DashboardsPorts } from './dashboards-service.ts'

type TileInput = Exclude<MessageInitShape<typeof DashboardTileInputSchema>, { $typeName: string }>
type Content = NonNullable<TileInput['content']>

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const NOT_FOUND: Refusal = ['NotFound', 'DASHBOARD_NOT_FOUND']

const insight = (insightType: InsightType): Content => ({
  case: 'insight',
  value: { spec: { insightType } },
})
const text = (body: string): Content => ({ case: 'markdown', value: { body } })

describeCatalog('dashboards', (under) => {
  let nowMs: number
  let projectId: ProjectId
  let otherProjectId: ProjectId
  let ours: Client<typeof DashboardsService>
  let theirs: Client<typeof DashboardsService>

  beforeEach(async () => {
    nowMs = START_MS
    projectId = await addProject(under.catalog, 'Ours')
    otherProjectId = await addProject(under.catalog, 'Theirs')
    const methods = createDashboardsService(portsOf(under.catalog))
    ours = clientOf(DashboardsService, methods, memberOf(projectId))
    theirs = clientOf(DashboardsService, methods, memberOf(otherProjectId))
  })

  const portsOf = (catalog: Catalog): DashboardsPorts => ({
    catalog,
    clock: { nowMs: () => nowMs },
    log: createLogger({ role: 'test', level: 'silent' }),
    timeoutMs: 60_000,
    projects: { read: async () => Promise.reject(new Error('unexpected read')) },
    passwords: { hash: async (password) => `hash of ${password}` },
    runInsight: async () => Promise.reject(new Error('unexpected query')),
    checkInsight: ({ insightType }) => {
      if (insightType !== InsightType.FUNNEL) return
      const violations = [{ field: 'spec.events', description: 'needs a step' }]
      throw new ServiceError({
        code: 'invalid_argument',
        reason: 'INVALID_INSIGHT_QUERY',
        message: 'spec.events: needs a step',
        violations,
      })
    },
  })

  const created = async (displayName = 'Growth'): Promise<Dashboard> =>
    dashboardOf(await ours.create({ displayName }))
  const read = async (id: string): Promise<Dashboard> => dashboardOf(await ours.get({ id }))

  describe('create', () => {
    test('a new dashboard has no tiles, is not shared and shows the last 30 days by day', async () => {
      const dashboard = await created()
      expect(dashboard).toMatchObject({
        projectId: String(projectId),
        displayName: 'Growth',
        description: '',
        tiles: [],
        shareId: '',
        defaultTimeRange: TimeRangePreset.LAST_30_DAYS,
        defaultGranularity: Granularity.DAY,
      })
      expect(timesOf(dashboard)).toEqual([START_MS, START_MS])
      expect(await read(dashboard.id)).toEqual(dashboard)
    })

    test('a new dashboard has the given values', async () => {
      const given = {
        displayName: "Robert'); DROP TABLE dashboards;--",
        description: '\u{1F600} <b>"q"</b>',
        defaultTimeRange: TimeRangePreset.LAST_6_HOURS,
        defaultGranularity: Granularity.MINUTE,
      }
      const { id } = dashboardOf(await ours.create(given))
      expect(await read(id)).toMatchObject(given)
    })

    test.each(['displayName', 'description'])('a NUL character in %s is rejected', async (field) => {
      const request = ours.create({ displayName: 'a', [field]: 'a\0b' })
      expect(await violatedFields(request)).toEqual([field])
    })
  })

  describe('list', () => {
    test('a list has the dashboards of the project, oldest first', async () => {
      const first = await created('first')
      nowMs += 5
      const second = await created('second')
      nowMs -= 10
      const earliest = await created('earliest')
      await theirs.create({ displayName: 'not ours' })
      const { dashboards } = await ours.list({})
      expect(dashboards).toEqual([earliest, first, second])
    })

    test('a project without dashboards has an empty list', async () => {
      expect((await ours.list({})).dashboards).toEqual([])
    })
  })

  describe('update', () => {
    test('unset fields stay unchanged', async () => {
      const before = dashboardOf(
        await ours.upsert({
          displayName: 'Growth',
          description: 'all of it',
          defaultTimeRange: TimeRangePreset.LAST_90_DAYS,
          defaultGranularity: Granularity.WEEK,
          tiles: [{ displayName: 'tile', content: text('x') }],
        }),
      )
      nowMs += 1000
      const after = dashboardOf(await ours.update({ id: before.id }))
      expect(timesOf(after)).toEqual([START_MS, START_MS + 1000])
      expect({ ...after, updateTime: before.updateTime }).toEqual(before)
    })

    test('set fields change', async () => {
      const { id } = dashboardOf(await ours.create({ displayName: 'a', description: 'b' }))
      const change = {
        displayName: 'c',
        description: 'd',
        defaultTimeRange: TimeRangePreset.LAST_7_DAYS,
        defaultGranularity: Granularity.HOUR,
      }
      await ours.update({ id, ...change })
      expect(await read(id)).toMatchObject(change)
    })

    test('an empty description clears it, an absent one does not', async () => {
      const { id } = dashboardOf(await ours.create({ displayName: 'a', description: 'b' }))
      await ours.update({ id })
      expect((await read(id)).description).toBe('b')
      await ours.update({ id, description: '' })
      expect((await read(id)).description).toBe('')
    })
  })

  describe('sharing', () => {
    test('a new dashboard has neither a password nor an expiry, and is in no frame', async () => {
      const { hasSharePassword, shareExpireTime, isEmbeddable } = await created()
      expect([hasSharePassword, shareExpireTime, isEmbeddable]).toEqual([false, undefined, false])
    })

    test('options of a share stay until they are changed, also when tiles are stored', async () => {
      const { id } = await created()
      const options = { isEmbeddable: true, shareExpireTime: timestampFromMs(START_MS + 1) }
      const set = dashboardOf(await ours.update({ id, sharePassword: 'correct horse', ...options }))
      expect(set).toMatchObject({ hasSharePassword: true, ...options })
      await ours.update({ id, displayName: 'Better' })
      await ours.upsert({ id, displayName: 'Best', tiles: [] })
      expect(await read(id)).toMatchObject({ hasSharePassword: true, ...options })
      const none = { isEmbeddable: false, shareExpireTime: timestampFromMs(0), sharePassword: '' }
      const removed = dashboardOf(await ours.update({ id, ...none }))
      expect(removed).toMatchObject({ hasSharePassword: false, isEmbeddable: false })
      expect(removed.shareExpireTime).toBeUndefined()
    })

    test('only the hash of a password is stored, and no answer has it', async () => {
      const { id } = await created()
      const dashboard = dashboardOf(await ours.update({ id, sharePassword: 'correct horse' }))
      expect(Object.values(dashboard)).not.toContain('hash of correct horse')
      const rows = await under.catalog.selectFrom('dashboards').select('share_password_hash').execute()
      expect(rows).toEqual([{ share_password_hash: 'hash of correct horse' }])
    })

    test.each([
      ['sharePassword', { sharePassword: '7 chars' }],
      ['shareExpireTime', { shareExpireTime: timestampFromMs(START_MS) }],
      ['shareExpireTime', { shareExpireTime: timestampFromMs(-1) }],
      ['shareExpireTime', { shareExpireTime: { seconds: 253_402_300_800n, nanos: 0 } }],
    ])('an invalid %s changes nothing', async (field, options) => {
      const { id } = await created()
      expect(await violatedFields(ours.update({ id, isPublic: true, ...options }))).toEqual([field])
      expect((await read(id)).shareId).toBe('')
    })

    test('a new link does not begin expired', async () => {
      const { id } = await created()
      await ours.update({ id, isPublic: true, shareExpireTime: timestampFromMs(START_MS + 1) })
      nowMs += 1
      await ours.update({ id, isPublic: false })
      const again = dashboardOf(await ours.update({ id, isPublic: true }))
      expect([again.shareId, again.shareExpireTime]).toEqual([expect.stringMatching(/^.{22}$/), undefined])
    })

    test('a share may be in a frame when its dashboard allows it, and until it expires', async () => {
      const store = portsOf(under.catalog)
      const { id } = await created()
      const { shareId } = dashboardOf(await ours.update({ id, isPublic: true }))
      expect(await isShareEmbeddable(store, shareId)).toBe(false)
      await ours.update({ id, isEmbeddable: true, shareExpireTime: timestampFromMs(START_MS + 1) })
      const asked = [shareId, id, 'A'.repeat(22), '']
      const answers = await Promise.all(asked.map(async (one) => await isShareEmbeddable(store, one)))
      expect(answers).toEqual([true, false, false, false])
      nowMs += 1
      expect(await isShareEmbeddable(store, shareId)).toBe(false)
    })

    test('a shared dashboard has a share id of 128 random bits', async () => {
      const ids = [await created(), await created()].map(({ id }) => id)
      const shared = await Promise.all(ids.map(async (id) => await share(id, true)))
      expect(shared).toEqual([expect.stringMatching(/^[\w-]{22}$/), expect.stringMatching(/^[\w-]{22}$/)])
      expect(shared[0]).not.toBe(shared[1])
      expect((await read(ids[0] ?? '')).shareId).toBe(shared[0])
    })

    test('the share id survives other changes and repeated sharing', async () => {
      const { id } = await created()
      const shareId = await share(id, true)
      await ours.update({ id, displayName: 'renamed' })
      await ours.upsert({ id, displayName: 'replaced' })
      expect((await read(id)).shareId).toBe(shareId)
      expect(await share(id, true)).toBe(shareId)
    })

    test('revoking removes the share id, and sharing again creates a new one', async () => {
      const { id } = await created()
      const first = await share(id, true)
      expect(await share(id, false)).toBe('')
      expect(await share(id, false)).toBe('')
      const second = await share(id, true)
      expect(second).toMatch(/^[\w-]{22}$/)
      expect(second).not.toBe(first)
    })
  })

  const share = async (id: string, isPublic: boolean): Promise<string> =>
    dashboardOf(await ours.update({ id, isPublic })).shareId

  describe('delete', () => {
    test('a deleted dashboard is not found', async () => {
      const { id } = await created()
      const kept = await created('kept')
      await ours.delete({ id })
      expect(await refusalOf(ours.get({ id }))).toEqual(NOT_FOUND)
      expect(await refusalOf(ours.delete({ id }))).toEqual(NOT_FOUND)
      expect((await ours.list({})).dashboards).toEqual([kept])
    })

    test('deleting a project deletes its dashboards only', async () => {
      await created()
      await theirs.create({ displayName: 'kept' })
      await deleteProject(under.catalog, { nowMs: () => nowMs }, projectId)
      const rows = await under.catalog.selectFrom('dashboards').select('project_id').execute()
      expect(rows).toEqual([{ project_id: otherProjectId }])
    })
  })

  describe('upsert', () => {
    const stored = async (tiles: readonly TileInput[], id = ''): Promise<Dashboard> =>
      dashboardOf(await ours.upsert({ id, displayName: 'Growth', tiles: [...tiles] }))

    test('without an id it creates a dashboard with its tiles, in order', async () => {
      const dashboard = await stored([
        { displayName: 'one', content: insight(InsightType.TRENDS), position: { x: 0, y: 0, w: 6, h: 4 } },
        { displayName: 'two', content: text('# hello') },
      ])
      expect(dashboard.tiles.map(({ displayName }) => displayName)).toEqual(['one', 'two'])
      expect(dashboard.tiles.map(({ dashboardId }) => dashboardId)).toEqual([dashboard.id, dashboard.id])
      expect(new Set(dashboard.tiles.map(({ id }) => id)).size).toBe(2)
      expect(await read(dashboard.id)).toEqual(dashboard)
    })

    test('a tile with an id keeps the id and its creation time', async () => {
      const before = await stored([
        { displayName: 'changes', content: text('a') },
        { displayName: 'stays', content: text('b') },
        { displayName: 'goes', content: text('c') },
      ])
      const [changes, stays] = before.tiles
      nowMs += 1000
      const after = await stored(
        [
          { displayName: 'new', content: text('d') },
          { id: stays?.id ?? '', displayName: 'stays', content: text('b') },
          { id: changes?.id ?? '', displayName: 'changed', content: text('a') },
        ],
        before.id,
      )
      expect(after.tiles.map(({ id, displayName }) => [id, displayName])).toEqual([
        [expect.any(String), 'new'],
        [stays?.id, 'stays'],
        [changes?.id, 'changed'],
      ])
      expect(before.tiles.map(({ id }) => id)).not.toContain(after.tiles[0]?.id)
      expect(after.tiles.map(timesOf)).toEqual([
        [START_MS + 1000, START_MS + 1000],
        [START_MS, START_MS],
        [START_MS, START_MS + 1000],
      ])
      expect(await read(before.id)).toEqual(after)
      expect((await ours.list({})).dashboards).toEqual([after])
    })

    test('an empty list of tiles removes all tiles', async () => {
      const { id } = await stored([{ content: text('a') }])
      expect((await stored([], id)).tiles).toEqual([])
    })

    test('unset settings get their defaults, because the whole dashboard is replaced', async () => {
      const { id } = dashboardOf(
        await ours.create({
          displayName: 'a',
          description: 'b',
          defaultTimeRange: TimeRangePreset.LAST_7_DAYS,
        }),
      )
      expect(await stored([], id)).toMatchObject({
        displayName: 'Growth',
        description: '',
        defaultTimeRange: TimeRangePreset.LAST_30_DAYS,
      })
    })

    test('unknown tile ids are rejected, and nothing changes', async () => {
      const elsewhere = await stored([{ content: text('elsewhere') }])
      const before = await stored([{ content: text('a') }])
      const request = ours.upsert({
        id: before.id,
        displayName: 'changed',
        tiles: [
          { content: text('b') },
          { id: elsewhere.tiles[0]?.id ?? '', content: text('c') },
          { id: '\0', content: text('d') },
        ],
      })
      expect(await violatedFields(request)).toEqual(['tiles[1].id', 'tiles[2].id'])
      expect(await read(before.id)).toEqual(before)
    })

    test('duplicate tile ids are rejected', async () => {
      const before = await stored([{ content: text('a') }])
      const tile = { id: before.tiles[0]?.id ?? '', content: text('b') }
      const request = ours.upsert({ id: before.id, displayName: 'twice', tiles: [tile, tile] })
      expect(await violatedFields(request)).toEqual(['tiles[1].id'])
    })

    test('a new dashboard has no tile ids to refer to', async () => {
      const request = ours.upsert({ displayName: 'a', tiles: [{ id: UNKNOWN_ID, content: text('b') }] })
      expect(await violatedFields(request)).toEqual(['tiles[0].id'])
      expect((await ours.list({})).dashboards).toEqual([])
    })

    test('an invalid insight is rejected with the path of its tile', async () => {
      const request = ours.upsert({
        displayName: 'a',
        tiles: [
          { content: insight(InsightType.TRENDS) },
          { content: insight(InsightType.FUNNEL) },
          { content: text('b') },
          { content: insight(InsightType.FUNNEL) },
        ],
      })
      expect(await violatedFields(request)).toEqual([
        'tiles[1].insight.spec.events',
        'tiles[3].insight.spec.events',
      ])
      expect(await refusalOf(request)).toEqual(['InvalidArgument', 'INVALID_INSIGHT_QUERY'])
      expect((await ours.list({})).dashboards).toEqual([])
    })

    test('of concurrent replacements one wins completely', async () => {
      const { id } = await created()
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      await Promise.all(
        names.map(async (name) => {
          const tiles = [1, 2, 3].map((number) => ({ displayName: name, content: text(String(number)) }))
          await ours.upsert({ id, displayName: name, tiles })
        }),
      )
      const { displayName, tiles } = await read(id)
      expect(names).toContain(displayName)
      expect(tiles.map((tile) => tile.displayName)).toEqual([displayName, displayName, displayName])
    })

    test('tiles are stored without loss', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(arbitraryTile, { maxLength: 6 }),
          arbitrarySettings,
          async (inputs, settings) => {
            const { id, tiles } = dashboardOf(await ours.upsert({ ...settings, tiles: inputs }))
            const again = dashboardOf(await ours.get({ id }))
            expect(again).toMatchObject(settings)
            expect(again.tiles.map(toInput)).toEqual(inputs.map(canonical))
            const inputsOfTiles = tiles.map((tile) =>
              fromJson(DashboardTileInputSchema, { ...toInput(tile), id: tile.id }),
            )
            const replaced = dashboardOf(await ours.upsert({ id, ...settings, tiles: inputsOfTiles }))
            expect(replaced).toEqual(again)
            await ours.delete({ id })
          },
        ),
        { numRuns: propertyRuns(60) },
      )
    })

    test('a project has at most 16 MiB of tiles', async () => {
      const tiles = Array.from({ length: 90 }, () => ({ content: text('x'.repeat(65_536)) }))
      await stored(tiles)
      const { id } = await stored(tiles)
      expect(await refusalOf(stored(tiles))).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
      expect((await ours.list({})).dashboards).toHaveLength(2)
      await theirs.upsert({ displayName: 'theirs', tiles })
      await ours.delete({ id })
      await stored(tiles)
    })
  })

  describe('a dashboard of another project', () => {
    type Call = (id: string) => Promise<unknown>
    const calls: readonly (readonly [name: string, call: Call])[] = [
      ['Get', async (id) => await theirs.get({ id })],
      ['Update', async (id) => await theirs.update({ id, displayName: 'stolen', isPublic: true })],
      ['Delete', async (id) => await theirs.delete({ id })],
      ['Upsert', async (id) => await theirs.upsert({ id, displayName: 'stolen' })],
      ['QueryDashboard', async (id) => await theirs.queryDashboard({ dashboardId: id })],
    ]

    test.each(calls)('is not found by %s and stays unchanged', async (_, call) => {
      const dashboard = await created()
      expect(await refusalOf(call(dashboard.id))).toEqual(NOT_FOUND)
      expect(await read(dashboard.id)).toEqual(dashboard)
      expect((await theirs.list({})).dashboards).toEqual([])
    })

    test.each(calls)('%s finds no malformed id', async (_, call) => {
      for (const id of [UNKNOWN_ID, 'x', "' OR 1=1 --", '\0']) {
        expect(await refusalOf(call(id))).toEqual(NOT_FOUND)
      }
    })
  })
})

const arbitraryContent: fc.Arbitrary<Content> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map(text),
  fc.constantFrom(InsightType.TRENDS, InsightType.SEGMENTATION, InsightType.RETENTION).map(insight),
  fc.string({ unit: 'binary', maxLength: 20 }).map((value) => ({
    case: 'insight' as const,
    value: {
      spec: {
        insightType: InsightType.SEGMENTATION,
        events: [{ event: { kind: value } }],
        conversionWindow: { seconds: 3n, nanos: 0 },
        includeCookieless: true,
      },
      granularity: Granularity.WEEK,
    },
  })),
)

const arbitraryTile: fc.Arbitrary<TileInput> = fc.record(
  {
    displayName: fc.string({ unit: 'binary', maxLength: 20 }),
    description: fc.string({ unit: 'binary', maxLength: 20 }),
    content: arbitraryContent,
    position: fc.record({ x: fc.nat(11), y: fc.nat(), w: fc.nat(12), h: fc.nat(12) }),
    viewMode: fc.constantFrom(DashboardTileViewMode.KPI, DashboardTileViewMode.SANKEY),
    compare: fc.constant(ComparePeriod.PRIOR),
    thresholds: fc.array(
      fc.record({
        operator: fc.constantFrom(ThresholdRule_Operator.LT, ThresholdRule_Operator.GTE),
        // JSON has no -0, and no value is compared otherwise with 0.
        value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        tone: fc.constantFrom(ThresholdRule_Tone.GOOD, ThresholdRule_Tone.UNSPECIFIED),
      }),
      { maxLength: 20 },
    ),
    header: fc.record({ icon: fc.string({ maxLength: 5 }), hideTitle: fc.boolean() }),
    visualization: fc.record({ logScale: fc.boolean(), hidePieLabels: fc.boolean() }),
  },
  { requiredKeys: ['content'] },
)

const withoutNul = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((name) => !name.includes('\0'))

const arbitrarySettings = fc.record({
  displayName: withoutNul,
  description: withoutNul,
  defaultTimeRange: fc.constantFrom(TimeRangePreset.LAST_1_HOUR, TimeRangePreset.LAST_365_DAYS),
  defaultGranularity: fc.constantFrom(Granularity.MINUTE, Granularity.MONTH),
})

/** A tile as it is sent, without the fields that the store adds. */
function toInput(tile: DashboardTile): JsonObject {
  const { id, dashboardId, createTime, updateTime, ...rest } = toJson(DashboardTileSchema, tile) as JsonObject
  return rest
}

function canonical(input: TileInput): unknown {
  return toJson(DashboardTileInputSchema, create(DashboardTileInputSchema, input))
}

async function addProject(catalog: Catalog, displayName: string): Promise<ProjectId> {
  const organisationId = crypto.randomUUID()
  const organisation = { id: organisationId, display_name: displayName, created_ms: 1 }
  await catalog.insertInto('organisations').values(organisation).execute()
  return await insertProject(catalog, { nowMs: () => 1 }, { organisationId, displayName })
}

function memberOf(projectId: ProjectId) {
  const organisationId = asOrganisationId(UNKNOWN_ID)
  const project = { projectId, organisationId, role: 'member' } as const
  return { customerId: asCustomerId(UNKNOWN_ID), project }
}

function dashboardOf({ dashboard }: { readonly dashboard?: Dashboard | undefined }): Dashboard {
  if (!dashboard) throw new Error('the answer has no dashboard')
  return dashboard
}

function timesOf(of: {
  readonly createTime?: Timestamp | undefined
  readonly updateTime?: Timestamp | undefined
}): (number | undefined)[] {
  return [of.createTime, of.updateTime].map((time) => time && timestampMs(time))
}

/** Fields that a call is refused for; empty for another end. */
async function violatedFields(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => undefined,
    (thrown) => ConnectError.from(thrown),
  )
  const details = error?.findDetails(BadRequestSchema) ?? []
  return details.flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field))
}
