import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Client, ConnectError } from '@connectrpc/connect'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientOf, type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { TimeRangePreset } from '../../contract/gen/common/v1/time_range_pb.js'
import { DashboardsService } from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { FunnelRate } from '../../contract/gen/millrace/insights/v1/funnel_options_pb.js'
import type {
  InsightContentSchema,
  SavedInsight,
} from '../../contract/gen/millrace/library/v1/saved_insight_pb.js'
import {
  SavedInsightsService,
  ListRequest_Sort as Sort,
} from '../../contract/gen/millrace/library/v1/saved_insights_service_pb.js'
import { Granularity, InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { createDashboardsService } from '../dashboards/dashboards-service.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { createSavedInsightsService } from './saved-insights-service.ts'

type Content = Exclude<MessageInitShape<typeof InsightContentSchema>, { $typeName: string }>

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const NOT_FOUND: Refusal = ['NotFound', 'SAVED_INSIGHT_NOT_FOUND']
const INVALID: Refusal = ['InvalidArgument', 'INVALID_REQUEST']
const LIMIT_REACHED: Refusal = ['FailedPrecondition', 'LIMIT_REACHED']

const trendOf = (kind: string) => ({ insightType: InsightType.TRENDS, events: [{ event: { kind } }] })

describeCatalog('saved insights', (under) => {
  let nowMs: number
  let projectId: ProjectId
  let ours: Client<typeof SavedInsightsService>
  let colleague: Client<typeof SavedInsightsService>
  let theirs: Client<typeof SavedInsightsService>
  let dashboards: Client<typeof DashboardsService>

  beforeEach(async () => {
    nowMs = START_MS
    const { catalog } = under
    const clock = { nowMs: () => nowMs }
    projectId = await addProject('Ours')
    const other = await addProject('Theirs')
    const methods = createSavedInsightsService({ catalog, clock })
    const as = (account: string, id: ProjectId) =>
      clientOf(SavedInsightsService, methods, callerOf(account, id))
    ours = as('ann', projectId)
    colleague = as('bob', projectId)
    theirs = as('eve', other)
    dashboards = clientOf(
      DashboardsService,
      createDashboardsService({
        catalog,
        clock,
        log: createLogger({ role: 'test', level: 'silent' }),
        timeoutMs: 60_000,
        projects: { read: async () => Promise.reject(new Error('unexpected read')) },
        passwords: { hash: async (password) => password },
        runInsight: async () => Promise.reject(new Error('unexpected query')),
        checkInsight: () => undefined,
      }),
      callerOf('ann', projectId),
    )
  })

  const addProject = async (displayName: string): Promise<ProjectId> => {
    const organisationId = asOrganisationId(`org-${displayName}`)
    await under.catalog
      .insertInto('organisations')
      .values({ id: organisationId, display_name: displayName, created_ms: 1 })
      .execute()
    return await insertProject(under.catalog, { nowMs: () => 1 }, { organisationId, displayName })
  }
  const callerOf = (account: string, id: ProjectId) => ({
    customerId: asCustomerId(account),
    project: { projectId: id, organisationId: asOrganisationId('o'), role: 'member' as const },
  })
  const insightOf = ({ insight }: { readonly insight?: SavedInsight | undefined }): SavedInsight => {
    if (!insight) throw new Error('the answer has no insight')
    return insight
  }
  const save = async (name: string, content: Partial<Content> = {}): Promise<SavedInsight> =>
    insightOf(await ours.create({ content: { name, spec: trendOf('view'), ...content } }))
  const read = async (id: string): Promise<SavedInsight> => insightOf(await ours.get({ id }))
  const update = async (id: string, content: Content): Promise<SavedInsight> =>
    insightOf(await ours.update({ id, content }))
  const namesOf = async (request: Parameters<typeof ours.list>[0]): Promise<readonly string[]> =>
    (await ours.list(request)).insights.map(({ content }) => content?.name ?? '')
  const follow = async (...ids: string[]) =>
    await dashboards.upsert({
      displayName: 'Growth',
      tiles: ids.map((savedInsightId) => ({ content: { case: 'insight', value: { savedInsightId } } })),
    })

  test('a saved insight has what was saved, its author and the first version', async () => {
    const content: Content = {
      name: 'Sign-ups',
      description: 'By week',
      tags: ['growth', 'Weekly'],
      spec: trendOf('signup'),
      range: { case: 'preset', value: TimeRangePreset.LAST_90_DAYS },
      granularity: Granularity.WEEK,
      compareTo: { with: { case: 'previousPeriod', value: true } },
      funnelRate: FunnelRate.FIRST_STEP,
    }
    const insight = insightOf(await ours.create({ content }))
    expect(insight).toMatchObject({ content, version: 1, createdBy: 'ann', updatedBy: 'ann', usedBy: [] })
    expect(await read(insight.id)).toEqual(insight)
  })

  test.each<[why: string, content: Content, reason: string]>([
    [
      'a funnel without steps',
      { name: 'x', spec: { insightType: InsightType.FUNNEL } },
      'INVALID_INSIGHT_QUERY',
    ],
    [
      'an unknown period',
      { name: 'x', spec: trendOf('a'), range: { case: 'period', value: 'soon' } },
      'INVALID_REQUEST',
    ],
    ['a tag twice', { name: 'x', spec: trendOf('a'), tags: ['a', 'A'] }, 'INVALID_REQUEST'],
    ['a tag that begins with a space', { name: 'x', spec: trendOf('a'), tags: [' a'] }, 'INVALID_REQUEST'],
    ['no query', { name: 'x' }, 'INVALID_REQUEST'],
    ['more than 64 KiB', { name: 'x', spec: trendOf('x'.repeat(65_536)) }, 'INVALID_REQUEST'],
  ])('%s is rejected and nothing is saved', async (_, content, reason) => {
    expect(await refusalOf(ours.create({ content }))).toEqual(['InvalidArgument', reason])
    expect(await namesOf({})).toEqual([])
  })

  test('a violation of a query is named below the content', async () => {
    const error = await ours
      .create({ content: { name: 'x', spec: { insightType: InsightType.FUNNEL } } })
      .catch((thrown: unknown) => ConnectError.from(thrown).message)
    expect(error).toContain('content.spec.')
  })

  describe('versions', () => {
    test('an update is a version, and the same content is none', async () => {
      const { id } = await save('First')
      nowMs += 5
      await colleague.update({ id, content: { name: 'Second', spec: trendOf('buy') } })
      nowMs += 5
      const last = await update(id, { name: 'Second', spec: trendOf('buy') })
      expect(last).toMatchObject({ version: 2, createdBy: 'ann', updatedBy: 'bob' })
      const { versions } = await ours.listVersions({ id })
      expect(versions.map(({ version, content, createdBy }) => [version, content?.name, createdBy])).toEqual([
        [2, 'Second', 'bob'],
        [1, 'First', 'ann'],
      ])
    })

    test('the last 20 versions are kept', async () => {
      const { id } = await save('1')
      for (let index = 2; index <= 22; index++) await update(id, { name: `${index}`, spec: trendOf('a') })
      const { versions } = await ours.listVersions({ id })
      expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, at) => 22 - at))
      const gone: Refusal = ['NotFound', 'INSIGHT_VERSION_NOT_FOUND']
      expect(await refusalOf(ours.restore({ id, version: 2 }))).toEqual(gone)
      expect(await refusalOf(ours.restore({ id, version: 23 }))).toEqual(gone)
    })

    test('an earlier version comes back as a new one', async () => {
      const first = await save('First', { tags: ['a'] })
      await update(first.id, { name: 'Second', spec: trendOf('buy') })
      const restored = insightOf(await colleague.restore({ id: first.id, version: 1 }))
      expect(restored).toMatchObject({ content: first.content, version: 3, updatedBy: 'bob' })
      expect((await ours.listVersions({ id: first.id })).versions).toHaveLength(3)
    })

    test('a copy has the content under another name, and its own versions', async () => {
      const first = await save('First', { tags: ['a'] })
      await update(first.id, { name: 'Second', tags: ['a'], spec: trendOf('buy') })
      const copy = insightOf(await colleague.duplicate({ id: first.id, name: 'Copy' }))
      expect(copy).toMatchObject({
        content: { name: 'Copy', tags: ['a'], spec: { events: [{ event: { kind: 'buy' } }] } },
        version: 1,
        createdBy: 'bob',
      })
      expect(await read(first.id)).toMatchObject({ content: { name: 'Second' }, version: 2 })
    })
  })

  describe('list', () => {
    test('conditions hold together, and texts match in any case', async () => {
      await save('Revenue', { tags: ['Money'], description: 'per WEEK' })
      await save('Visits', { tags: ['web', 'money'] })
      await colleague.create({
        content: { name: 'Loyalty', spec: { ...trendOf('a'), insightType: InsightType.RETENTION } },
      })
      expect(await namesOf({ search: 'week' })).toEqual(['Revenue'])
      expect(await namesOf({ search: 'WEB' })).toEqual(['Visits'])
      expect(await namesOf({ tags: ['MONEY'], sort: Sort.NAME })).toEqual(['Revenue', 'Visits'])
      expect(await namesOf({ tags: ['money', 'web'] })).toEqual(['Visits'])
      expect(await namesOf({ createdBy: 'bob' })).toEqual(['Loyalty'])
      expect(await namesOf({ types: [InsightType.RETENTION, InsightType.FUNNEL] })).toEqual(['Loyalty'])
      expect(await namesOf({ search: 'loyal', createdBy: 'ann' })).toEqual([])
      const { tags, creators, totalCount } = await ours.list({ search: 'week' })
      expect({ tags, creators, totalCount }).toEqual({
        tags: ['Money', 'money', 'web'],
        creators: ['ann', 'bob'],
        totalCount: 1,
      })
    })

    test.each([
      [Sort.UNSPECIFIED, ['b', 'C', 'a']],
      [Sort.UPDATED, ['b', 'C', 'a']],
      [Sort.CREATED, ['C', 'a', 'b']],
      [Sort.NAME, ['a', 'b', 'C']],
    ])('sort %s has its order, and pages follow each other in it', async (sort, names) => {
      const b = await save('b')
      nowMs += 1
      await save('a')
      nowMs += 1
      await save('C')
      nowMs += 1
      await update(b.id, { name: 'b', description: 'new', spec: trendOf('a') })
      expect(await namesOf({ sort })).toEqual(names)
      const paged: string[] = []
      let pageToken = ''
      do {
        const page = await ours.list({ sort, pageSize: 1, pageToken })
        expect(page.totalCount).toBe(3)
        paged.push(...page.insights.map(({ content }) => content?.name ?? ''))
        pageToken = page.nextPageToken
      } while (pageToken !== '')
      expect(paged).toEqual(names)
    })

    test('insights of one instant are on one page only', async () => {
      for (const name of ['a', 'b', 'c']) await save(name)
      const first = await ours.list({ pageSize: 2 })
      const second = await ours.list({ pageSize: 2, pageToken: first.nextPageToken })
      const ids = [...first.insights, ...second.insights].map(({ id }) => id)
      expect(new Set(ids).size).toBe(3)
      expect(second.nextPageToken).toBe('')
    })

    test('a token of another sort is rejected', async () => {
      for (const name of ['a', 'b']) await save(name)
      const { nextPageToken: pageToken } = await ours.list({ pageSize: 1 })
      const refusal: Refusal = ['InvalidArgument', 'INVALID_PAGE_TOKEN']
      expect(await refusalOf(ours.list({ pageToken, sort: Sort.NAME }))).toEqual(refusal)
      expect(await refusalOf(ours.list({ pageToken: 'x' }))).toEqual(refusal)
    })

    test('favorites belong to an account', async () => {
      const { id } = await save('a')
      await save('b')
      expect(insightOf(await ours.setFavorite({ id, isFavorite: true })).isFavorite).toBe(true)
      await ours.setFavorite({ id, isFavorite: true })
      expect(await namesOf({ favoritesOnly: true })).toEqual(['a'])
      expect((await colleague.list({ favoritesOnly: true })).insights).toEqual([])
      expect(insightOf(await colleague.get({ id })).isFavorite).toBe(false)
      await ours.setFavorite({ id, isFavorite: false })
      expect(await namesOf({ favoritesOnly: true })).toEqual([])
    })
  })

  describe('tiles', () => {
    test('a tile follows every change of its insight', async () => {
      const { id } = await save('Visits')
      const { dashboard } = await follow(id)
      const kindOf = async () => {
        const { dashboards: all } = await dashboards.list({})
        const content = all[0]?.tiles[0]?.content
        return content?.case === 'insight' ? content.value.spec?.events[0]?.event?.kind : undefined
      }
      expect(await kindOf()).toBe('view')
      await update(id, { name: 'Visits', spec: trendOf('buy') })
      expect(await kindOf()).toBe('buy')
      await ours.restore({ id, version: 1 })
      expect(await kindOf()).toBe('view')
      expect((await dashboards.get({ id: dashboard?.id ?? '' })).dashboard?.updateTime).toEqual(
        dashboard?.updateTime,
      )
    })

    test('a query that is sent with a following tile is not stored', async () => {
      const { id } = await save('Visits')
      const value = { savedInsightId: id, spec: trendOf('other') }
      const tiles = [{ content: { case: 'insight' as const, value } }]
      const { dashboard } = await dashboards.upsert({ displayName: 'x', tiles })
      expect(dashboard?.tiles[0]?.content.value).toMatchObject({
        spec: { events: [{ event: { kind: 'view' } }] },
      })
    })

    test('an insight has the dashboards that follow it, by name', async () => {
      const [one, two] = [await save('One'), await save('Two')]
      const { dashboard } = await follow(one.id, two.id, one.id)
      const use = { dashboardId: dashboard?.id, dashboardName: 'Growth' }
      expect((await read(one.id)).usedBy).toMatchObject([{ ...use, tileCount: 2 }])
      expect((await read(two.id)).usedBy).toMatchObject([{ ...use, tileCount: 1 }])
      await dashboards.upsert({ id: dashboard?.id ?? '', displayName: 'Growth' })
      expect((await read(one.id)).usedBy).toEqual([])
    })

    test('an insight in use is not deleted, and the error names the dashboards', async () => {
      const { id } = await save('Visits')
      const { dashboard } = await follow(id)
      const error = await ours.delete({ id }).catch((thrown: unknown) => ConnectError.from(thrown).message)
      expect(error).toContain('the dashboard "Growth"')
      expect(await refusalOf(ours.delete({ id }))).toEqual(['FailedPrecondition', 'SAVED_INSIGHT_IN_USE'])
      await dashboards.delete({ id: dashboard?.id ?? '' })
      await ours.delete({ id })
      expect(await namesOf({})).toEqual([])
    })

    test('a tile follows no insight of another project, nor an unknown one', async () => {
      const foreign = insightOf(await theirs.create({ content: { name: 'x', spec: trendOf('a') } }))
      for (const id of [foreign.id, UNKNOWN_ID, 'x']) expect(await refusalOf(follow(id))).toEqual(INVALID)
      expect((await dashboards.list({})).dashboards).toEqual([])
    })

    test('a project with followed insights can be deleted', async () => {
      await follow((await save('Visits')).id)
      await deleteProject(under.catalog, { nowMs: () => nowMs }, projectId)
      expect(await under.catalog.selectFrom('saved_insight_uses').selectAll().execute()).toEqual([])
      expect(await under.catalog.selectFrom('saved_insight_versions').selectAll().execute()).toEqual([])
    })

    test('tiles follow at most 16 MiB of queries', async () => {
      const large = (name: string) => ({ name, spec: trendOf('x'.repeat(60_000)) })
      const { id } = await save('Large')
      for (let index = 0; index < 3; index++) await follow(...Array.from({ length: 100 }, () => id))
      expect(await refusalOf(ours.update({ id, content: large('Large') }))).toEqual(LIMIT_REACHED)
      expect(await read(id)).toMatchObject({ version: 1 })
    })
  })

  test('insights of another project are not found', async () => {
    const insight = await save('Ours')
    const { id } = insight
    const content = { name: 'stolen', spec: trendOf('a') }
    const calls = [
      async () => await theirs.get({ id }),
      async () => await theirs.update({ id, content }),
      async () => await theirs.delete({ id }),
      async () => await theirs.duplicate({ id, name: 'x' }),
      async () => await theirs.setFavorite({ id, isFavorite: true }),
      async () => await theirs.listVersions({ id }),
      async () => await theirs.restore({ id, version: 1 }),
    ]
    expect(await Promise.all(calls.map(async (call) => await refusalOf(call())))).toEqual(
      calls.map(() => NOT_FOUND),
    )
    expect((await theirs.list({})).insights).toEqual([])
    expect(await read(id)).toEqual(insight)
  })

  test.each([UNKNOWN_ID, 'x', "'", '\0'])('the id %j is not found', async (id) => {
    expect(await refusalOf(ours.get({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(ours.delete({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(ours.restore({ id, version: 1 }))).toEqual(NOT_FOUND)
  })

  test('a project has at most 1000 insights', async () => {
    const { id } = await save('first')
    const row = await under.catalog
      .selectFrom('saved_insights')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 999 }, (_, index) => ({
      ...row,
      id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`,
    }))
    for (let at = 0; at < rows.length; at += 100)
      await under.catalog
        .insertInto('saved_insights')
        .values(rows.slice(at, at + 100))
        .execute()
    expect(await refusalOf(ours.create({ content: { name: 'x', spec: trendOf('a') } }))).toEqual(
      LIMIT_REACHED,
    )
    expect(await refusalOf(ours.duplicate({ id, name: 'x' }))).toEqual(LIMIT_REACHED)
    await theirs.create({ content: { name: 'x', spec: trendOf('a') } })
  })

  test('a project has at most 16 MiB of insights with their versions', async () => {
    const { id } = await save('first')
    await under.catalog
      .updateTable('saved_insight_versions')
      .set({ content_bytes: 16 * 1024 * 1024 })
      .execute()
    expect(await refusalOf(ours.update({ id, content: { name: 'x', spec: trendOf('a') } }))).toEqual(
      LIMIT_REACHED,
    )
    expect(await read(id)).toMatchObject({ content: { name: 'first' } })
  })
})
