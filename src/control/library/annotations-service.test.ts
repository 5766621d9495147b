import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { clientOf, type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import {
  type Annotation,
  AnnotationsService,
} from '../../contract/gen/millrace/library/v1/annotations_service_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { createDashboard, deleteDashboard, readDashboard } from '../dashboards/dashboard-store.ts'
import { createAnnotationsService } from './annotations-service.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const NOT_FOUND: Refusal = ['NotFound', 'ANNOTATION_NOT_FOUND']
const NO_DASHBOARD: Refusal = ['NotFound', 'DASHBOARD_NOT_FOUND']

describeCatalog('annotations', (under) => {
  let projectId: ProjectId
  let other: ProjectId
  let ours: Client<typeof AnnotationsService>
  let theirs: Client<typeof AnnotationsService>
  const clock = { nowMs: () => NOW_MS }

  beforeEach(async () => {
    projectId = await addProject('Ours')
    other = await addProject('Theirs')
    const { catalog } = under
    const methods = createAnnotationsService({
      catalog,
      clock,
      requireDashboard: async (transaction, key) => await readDashboard({ catalog: transaction }, key),
    })
    const as = (id: ProjectId) =>
      clientOf(AnnotationsService, methods, {
        customerId: asCustomerId('ann'),
        project: { projectId: id, organisationId: asOrganisationId('o'), role: 'member' },
      })
    ours = as(projectId)
    theirs = as(other)
  })

  const addProject = async (displayName: string): Promise<ProjectId> => {
    const organisationId = asOrganisationId(`org-${displayName}`)
    await under.catalog
      .insertInto('organisations')
      .values({ id: organisationId, display_name: displayName, created_ms: 1 })
      .execute()
    return await insertProject(under.catalog, clock, { organisationId, displayName })
  }
  const addDashboard = async (id: ProjectId): Promise<string> => {
    const settings = { displayName: 'x', description: '', defaultTimeRange: 6, defaultGranularity: 3 }
    return (await createDashboard({ catalog: under.catalog, clock }, id, { ...settings, tiles: [] })).id
  }
  const annotationOf = ({ annotation }: { readonly annotation?: Annotation | undefined }): Annotation => {
    if (!annotation) throw new Error('the answer has no annotation')
    return annotation
  }
  const note = async (text: string, ms: number, dashboardId = ''): Promise<Annotation> =>
    annotationOf(await ours.create({ text, time: timestampFromMs(ms), dashboardId }))
  const textsOf = async (request: Parameters<typeof ours.list>[0]): Promise<readonly string[]> =>
    (await ours.list(request)).annotations.map(({ text }) => text)

  test('an annotation without an instant is of now', async () => {
    const annotation = annotationOf(await ours.create({ text: 'Release 2.0' }))
    expect(annotation).toMatchObject({ text: 'Release 2.0', dashboardId: '', createdBy: 'ann' })
    expect(annotation.time && timestampMs(annotation.time)).toBe(NOW_MS)
    expect(annotationOf(await ours.get({ id: annotation.id }))).toEqual(annotation)
  })

  test('an update replaces all parts, and a deleted one is gone', async () => {
    const dashboardId = await addDashboard(projectId)
    const { id } = await note('a', 1000)
    const change = { id, text: 'b', time: timestampFromMs(-5), dashboardId }
    expect(annotationOf(await ours.update(change))).toMatchObject({ text: 'b', dashboardId })
    expect(annotationOf(await ours.get({ id })).time).toEqual(timestampFromMs(-5))
    await ours.delete({ id })
    expect(await refusalOf(ours.get({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(ours.delete({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(ours.update(change))).toEqual(NOT_FOUND)
  })

  test('a list has the latest first, the start of a range and not its end', async () => {
    for (const ms of [2000, 1000, 3000]) await note(`${ms}`, ms)
    await theirs.create({ text: 'theirs', time: timestampFromMs(1500) })
    expect(await textsOf({})).toEqual(['3000', '2000', '1000'])
    const timeRange = { from: timestampFromMs(1000), to: timestampFromMs(3000) }
    expect(await textsOf({ timeRange })).toEqual(['2000', '1000'])
  })

  test('pages follow each other, also within one instant', async () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) await note(text, text < 'd' ? 1000 : 2000)
    const seen: string[] = []
    let pageToken = ''
    do {
      const page = await ours.list({ pageSize: 2, pageToken })
      seen.push(...page.annotations.map(({ text }) => text))
      pageToken = page.nextPageToken
    } while (pageToken !== '')
    expect(seen).toEqual(await textsOf({}))
    expect([...seen].sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
    const refusal: Refusal = ['InvalidArgument', 'INVALID_PAGE_TOKEN']
    expect(await refusalOf(ours.list({ pageToken: 'x' }))).toEqual(refusal)
  })

  test('a dashboard has its own annotations and those of the project, and takes its own with it', async () => {
    const [first, second] = [await addDashboard(projectId), await addDashboard(projectId)]
    await note('project', 1000)
    await note('first', 2000, first)
    await note('second', 3000, second)
    expect(await textsOf({})).toEqual(['project'])
    expect(await textsOf({ dashboardId: first })).toEqual(['first', 'project'])
    expect(await textsOf({ dashboardId: 'x' })).toEqual(['project'])
    expect(await textsOf({ allDashboards: true })).toEqual(['second', 'first', 'project'])
    await deleteDashboard({ catalog: under.catalog, clock }, { projectId, id: first })
    expect(await textsOf({ allDashboards: true })).toEqual(['second', 'project'])
  })

  test('a dashboard of another project is not found', async () => {
    const foreign = await addDashboard(other)
    const own = await note('a', 1000)
    for (const dashboardId of [foreign, UNKNOWN_ID, 'x']) {
      expect(await refusalOf(ours.create({ text: 'x', dashboardId }))).toEqual(NO_DASHBOARD)
      const change = { id: own.id, text: 'x', time: timestampFromMs(0), dashboardId }
      expect(await refusalOf(ours.update(change))).toEqual(NO_DASHBOARD)
    }
    expect(await textsOf({ allDashboards: true })).toEqual(['a'])
  })

  test('an annotation of another project is not found', async () => {
    const { id } = await note('a', 1000)
    const change = { id, text: 'x', time: timestampFromMs(0) }
    expect(await refusalOf(theirs.get({ id }))).toEqual(NOT_FOUND)
    expect(await refusalOf(theirs.update(change))).toEqual(NOT_FOUND)
    expect(await refusalOf(theirs.delete({ id }))).toEqual(NOT_FOUND)
    expect(await textsOf({})).toEqual(['a'])
  })

  test('a project has at most 10,000 annotations', async () => {
    const row = { project_id: projectId, dashboard_id: null, text: 'x', created_by: '', time_ms: 1 }
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      ...row,
      id: `${index}`,
      created_ms: 1,
      updated_ms: 1,
    }))
    for (let at = 0; at < rows.length; at += 1000)
      await under.catalog
        .insertInto('annotations')
        .values(rows.slice(at, at + 1000))
        .execute()
    expect(await refusalOf(ours.create({ text: 'x' }))).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
    await theirs.create({ text: 'x' })
  })
})
