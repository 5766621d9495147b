import { type Client, ConnectError } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { clientOf, type Refusal, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { BadRequestSchema } from '../../contract/gen/google/rpc/error_details_pb.js'
import { type Goal, GoalsService } from '../../contract/gen/millrace/web/v1/goals_service_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { createGoalsService } from './goals-service.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const NOT_FOUND: Refusal = ['NotFound', 'GOAL_NOT_FOUND']
const PURCHASES = {
  name: 'Purchases',
  target: {
    case: 'event' as const,
    value: {
      kind: 'purchase',
      filters: [{ property: 'plan', operator: FilterOperator.IN, values: ['pro', "x' OR 1=1"] }],
    },
  },
  valueProperty: 'amount',
}
const PRICING = { name: 'Pricing', target: { case: 'pagePattern' as const, value: '/pricing*' } }

describeCatalog('goals', (under) => {
  let nowMs: number
  let projectId: ProjectId
  let otherProjectId: ProjectId
  let ours: Client<typeof GoalsService>
  let theirs: Client<typeof GoalsService>

  beforeEach(async () => {
    nowMs = START_MS
    projectId = await addProject('Ours')
    otherProjectId = await addProject('Theirs')
    const methods = createGoalsService({ catalog: under.catalog, clock: { nowMs: () => nowMs } })
    ours = clientOf(GoalsService, methods, memberOf(projectId))
    theirs = clientOf(GoalsService, methods, memberOf(otherProjectId))
  })

  const addProject = async (displayName: string): Promise<ProjectId> => {
    const organisationId = asOrganisationId(displayName)
    await under.catalog
      .insertInto('organisations')
      .values({ id: organisationId, display_name: displayName, created_ms: 1 })
      .execute()
    const project = { organisationId, displayName, reportingTimezone: 'UTC' }
    return await insertProject(under.catalog, { nowMs: () => nowMs }, project)
  }
  const memberOf = (project: ProjectId) => ({
    customerId: asCustomerId('a'),
    project: { projectId: project, organisationId: asOrganisationId('o'), role: 'member' as const },
  })
  const goalOf = ({ goal }: { readonly goal?: Goal | undefined }): Goal => {
    if (!goal) throw new Error('the answer has no goal')
    return goal
  }
  const list = async (): Promise<readonly Goal[]> => (await ours.list({})).goals

  test('goals are listed as they were created, oldest first', async () => {
    const first = goalOf(await ours.create(PURCHASES))
    nowMs += 1000
    const second = goalOf(await ours.create(PRICING))
    expect(first).toMatchObject(PURCHASES)
    expect(second).toMatchObject({ ...PRICING, valueProperty: '' })
    expect(await list()).toEqual([first, second])
  })

  test('an update replaces the whole goal and keeps its id and its position in the list', async () => {
    const { id, createTime } = goalOf(await ours.create(PURCHASES))
    nowMs += 1000
    const other = goalOf(await ours.create(PRICING))
    nowMs += 1000
    const updated = goalOf(await ours.update({ id, ...PRICING }))
    expect(updated).toMatchObject({ id, ...PRICING, valueProperty: '', createTime })
    expect(updated.updateTime).not.toEqual(createTime)
    expect(await list()).toEqual([updated, other])
  })

  test('a deleted goal is gone', async () => {
    const { id } = goalOf(await ours.create(PURCHASES))
    await ours.delete({ id })
    expect(await list()).toEqual([])
    expect(await refusalOf(ours.delete({ id }))).toEqual(NOT_FOUND)
  })

  test('goals of another project are neither listed nor changed', async () => {
    const goal = goalOf(await ours.create(PURCHASES))
    expect((await theirs.list({})).goals).toEqual([])
    expect(await refusalOf(theirs.update({ id: goal.id, ...PRICING }))).toEqual(NOT_FOUND)
    expect(await refusalOf(theirs.delete({ id: goal.id }))).toEqual(NOT_FOUND)
    expect(await list()).toEqual([goal])
  })

  test.each([UNKNOWN_ID, 'x', UNKNOWN_ID.toUpperCase().replace('4', 'A'), '\u{1F600}'])(
    'the id %j is not found',
    async (id) => {
      expect(await refusalOf(ours.update({ id, ...PRICING }))).toEqual(NOT_FOUND)
      expect(await refusalOf(ours.delete({ id }))).toEqual(NOT_FOUND)
    },
  )

  test('a filter that no query accepts is rejected with its path', async () => {
    const filters = [{ property: 'plan', operator: FilterOperator.LT, value: 'many' }]
    const create = ours.create({ name: 'x', target: { case: 'event', value: { kind: 'a', filters } } })
    const error = await create.catch((thrown: unknown) => ConnectError.from(thrown))
    const [details] = error instanceof ConnectError ? error.findDetails(BadRequestSchema) : []
    expect(details?.fieldViolations.map(({ field }) => field)).toEqual(['event.filters[0].value'])
    expect(await list()).toEqual([])
  })

  test('a project has at most 100 goals, and another project is not affected', async () => {
    for (let index = 0; index < 100; index++) await ours.create({ ...PRICING, name: `Goal ${index}` })
    expect(await refusalOf(ours.create(PRICING))).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
    expect(await list()).toHaveLength(100)
    await theirs.create(PRICING)
  })
})
