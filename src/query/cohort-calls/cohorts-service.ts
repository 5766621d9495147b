import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { accountOf, projectIdOf } from '../../access/caller.ts'
import type { CohortDefinition, CohortSchema } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import {
  type CohortsService,
  CountRequestSchema,
  CountResponseSchema,
  ListMembersRequestSchema,
  ListMembersResponseSchema,
} from '../../contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import { cohortIdsOfSpec, NO_COHORT } from '../../domain/insights/cohort-filters.ts'
import type { CohortRule } from '../../domain/insights/cohort-rule.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { referencesOf } from '../../domain/insights/parse-cohort.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { answerQuery, openCall, type QueryPorts } from '../calls/query-call.ts'
import { ruleOfDefinition } from '../cohorts/cohort-reader.ts'
import { type Cohort, deleteCohort, loadCohorts, readCohort } from '../cohorts/cohort-store.ts'
import type { QueryRunner } from '../sql/select.ts'
import { changeCohort, createDynamic, createStatic } from './change-cohorts.ts'
import { countUsers, findCohortsOfUser, listUsers } from './cohort-users.ts'
import { savePoint } from './save-point.ts'
import { changeMembers, countMembers, type MemberTable } from './static-members.ts'

/** Dependencies of cohorts. */
export interface CohortsPorts extends QueryPorts {
  readonly catalog: Catalog
  readonly members: MemberTable
}

/** `millrace.cohorts.v1.CohortsService`: named sets of users. */
export function createCohortsService(ports: CohortsPorts): ServiceImpl<typeof CohortsService> {
  return { ...createWrites(ports), ...createReads(ports) }
}

type Methods<Name extends keyof ServiceImpl<typeof CohortsService>> = Pick<
  ServiceImpl<typeof CohortsService>,
  Name
>

function createWrites(
  ports: CohortsPorts,
): Methods<'create' | 'update' | 'delete' | 'addMembers' | 'removeMembers' | 'saveFromPoint'> {
  const { catalog } = ports
  const change = async (
    { id, ids }: { readonly id: string; readonly ids: readonly string[] },
    isMember: boolean,
    context: HandlerContext,
  ) => {
    const { projectId, run } = await openCall(ports, context)
    const cohort = await changeMembers({ ...ports, run }, { projectId, id }, { ids, isMember })
    return { cohort: await toMessage(cohort, { projectId, run }) }
  }
  return {
    create: async ({ name, description, content }, context) => {
      const call = await openCall(ports, context)
      const named = { name, description, createdBy: accountOf(context) }
      const cohort =
        content.case === 'definition'
          ? await createDynamic(ports, call, { ...named, definition: content.value })
          : await createStatic({ ...ports, run: call.run }, call, { ...named, ids: content.value?.ids ?? [] })
      return { cohort: await toMessage(cohort, call) }
    },
    update: async ({ id, name, description, definition }, context) => {
      const call = await openCall(ports, context)
      const cohort = await changeCohort(ports, call, { id, name, description, definition })
      return { cohort: await toMessage(cohort, call) }
    },
    delete: async ({ id }, context) => {
      const projectId = projectIdOf(context)
      await inTransaction(catalog, async (transaction) => await deleteCohort(transaction, { projectId, id }))
      await ports.members.deleteAll({ projectId, cohortId: id })
      return {}
    },
    addMembers: async (request, context) => await change(request, true, context),
    removeMembers: async (request, context) => await change(request, false, context),
    saveFromPoint: async (request, context) => {
      const call = await openCall(ports, context, cohortIdsOfSpec(request.query?.spec))
      const { signal } = context
      const cohort = await savePoint(ports, call, { request, signal, createdBy: accountOf(context) })
      return { cohort: await toMessage(cohort, call) }
    },
  }
}

function createReads(ports: CohortsPorts): Methods<'get' | 'list' | 'count' | 'listMembers' | 'listOfUser'> {
  const { catalog, clock } = ports
  return {
    get: async ({ id }, context) => {
      const call = await openCall(ports, context)
      return { cohort: await toMessage(await readCohort(catalog, { ...call, id }), call) }
    },
    list: async (_, context) => {
      const call = await openCall(ports, context)
      return { cohorts: await toMessages(await loadCohorts(catalog, call.projectId), call) }
    },
    count: async (request, context) =>
      await answerQuery(ports, {
        input: CountRequestSchema,
        output: CountResponseSchema,
        request,
        context,
        cohortIds: countedCohorts(request.of),
        answer: async (run, project) => {
          const rule = ruleOfCount(request.of, project, clock.nowMs())
          return { users: BigInt(await countUsers(rule, { projectId: project.projectId, run })) }
        },
      }),
    listMembers: async (request, context) =>
      await answerQuery(ports, {
        input: ListMembersRequestSchema,
        output: ListMembersResponseSchema,
        request,
        context,
        cohortIds: [request.cohortId],
        answer: async (run, { projectId, cohorts = NO_COHORT }) =>
          await listUsers(cohorts(request.cohortId), request, { projectId, run }),
      }),
    listOfUser: async ({ distinctId }, context) => {
      const all = await loadCohorts(catalog, projectIdOf(context))
      const ids = all.map(({ id }) => id)
      const { cohorts: lookup = NO_COHORT, ...call } = await openCall(ports, context, ids)
      const rules = ids.map((id) => lookup(id))
      const isIn = await findCohortsOfUser(rules, { ...call, distinctId }, call.run)
      const own = all.filter((_, index) => isIn[index])
      return { cohorts: await toMessages(own, call) }
    },
  }
}

/** The oneof of a request to count. */
type Counted =
  | { readonly case: 'cohortId'; readonly value: string }
  | { readonly case: 'definition'; readonly value: CohortDefinition }
  | { readonly case: undefined; readonly value?: undefined }

function countedCohorts(of: Counted): readonly string[] {
  if (of.case === 'cohortId') return [of.value]
  return of.case === 'definition' ? referencesOf(of.value) : []
}

function ruleOfCount(
  of: Counted,
  { cohorts = NO_COHORT, projectTimeZone: timeZone, mergedKinds }: ProjectContext,
  nowMs: number,
): CohortRule {
  if (of.case === 'definition')
    return ruleOfDefinition(of.value, { nowMs, timeZone, ...(mergedKinds ? { mergedKinds } : {}) }, cohorts)
  return cohorts(of.value ?? '')
}

interface Call {
  readonly projectId: ProjectContext['projectId']
  readonly run: QueryRunner
}

async function toMessage(cohort: Cohort, call: Call): Promise<MessageInitShape<typeof CohortSchema>> {
  const [message] = await toMessages([cohort], call)
  return message ?? {}
}

async function toMessages(
  cohorts: readonly Cohort[],
  { projectId, run }: Call,
): Promise<MessageInitShape<typeof CohortSchema>[]> {
  const ids = cohorts.filter(({ definition }) => !definition).map(({ id }) => id)
  const counts = await countMembers({ projectId, ids }, run)
  return cohorts.map(({ id, name, description, definition, createdBy, createdMs, updatedMs }) => ({
    id,
    name,
    description,
    content: definition
      ? { case: 'definition', value: definition }
      : { case: 'static', value: { count: BigInt(counts.get(id) ?? 0) } },
    createdBy,
    createTime: timestampFromMs(createdMs),
    updateTime: timestampFromMs(updatedMs),
  }))
}
