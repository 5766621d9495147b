import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type ActorSchema,
  type ListRequest,
  ListRequestSchema,
  type ListResponseSchema,
  type Point,
  PointSchema,
} from '../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { KnownInsightType, ProjectContext } from '../../domain/insights/insight-context.ts'
import { type ParsedInsight, parseInsight } from '../../domain/insights/insight-rules.ts'
import { invalid, violationsBelow } from '../../domain/insights/invalid.ts'
import { encodeBoundToken, parseBoundToken } from '../calls/bound-token.ts'
import type { Actors } from '../insights/actors.ts'
import { findActors } from '../insights/registry/insight-registry.ts'
import { readLocations } from '../people/activity-summary.ts'
import { identifiedPeople, PERSON_COLUMNS, readTraits } from '../people/person.ts'
import { uint64ArrayCodec } from '../sql/codec.ts'
import { type QueryRunner, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { type ActorActivity, type ActorPage, compileActivity, compilePage } from './compile.ts'

/** One call of `ActorsService.List`. */
export interface ListActorsCall {
  readonly request: ListRequest
  readonly project: ProjectContext
  readonly run: QueryRunner
}

const PAGE_SIZE_DEFAULT = 100
const PAGE_SIZE_MAX = 1000
const REASON = 'INVALID_INSIGHT_QUERY'

const NO_ACTORS: ActorPage = { total: 0, cookieless: 0, matching: 0, ids: [], users: [] }

/** The users behind a point of an insight, a page at a time in the order of their ids. Throws `ServiceError`. */
export async function listActors({
  request,
  project,
  run,
}: ListActorsCall): Promise<MessageInitShape<typeof ListResponseSchema>> {
  const { projectId } = project
  const pageSize = parsePageSize(request)
  const point = orderMaps(request.point)
  const paged = { schema: ListRequestSchema, request: { ...request, point }, projectId } as const
  const afterId = parseBoundToken(paged)
  const actors = await findActors(parseQuery(request, project), point, run)
  const [page] = await run(
    compilePage(actors, { projectId, sizeMax: pageSize + 1, afterId, search: request.search.trim() }),
  )
  const { total, cookieless, matching, ids, users } = page ?? NO_ACTORS
  const listed = { ids: ids.slice(0, pageSize), users: users.slice(0, pageSize) }
  const last = listed.ids.at(-1)
  const isLast = ids.length === listed.ids.length || last === undefined
  const activity = listed.users.length === 0 ? [] : await run(compileActivity(actors, listed.users))
  return {
    totalUsers: BigInt(total),
    cookielessUsers: BigInt(cookieless),
    matchingUsers: BigInt(matching),
    users: await describe(listed, activity, { projectId, run }),
    nextPageToken: isLast ? '' : encodeBoundToken(paged, last),
  }
}

/** The users behind a point that a request names with its query. Throws `ServiceError`. */
export async function findPoint(
  request: Pick<ListRequest, 'query' | 'point'>,
  project: ProjectContext,
  run: QueryRunner,
): Promise<Actors> {
  return await findActors(parseQuery(request, project), orderMaps(request.point), run)
}

function parsePageSize({ pageSize }: ListRequest): number {
  if (pageSize < 0 || pageSize > PAGE_SIZE_MAX)
    throw invalid('pageSize', `must be 0 to ${PAGE_SIZE_MAX}`, REASON)
  return pageSize || PAGE_SIZE_DEFAULT
}

/** Parses the insight; errors name fields below `query`. */
function parseQuery(
  { query }: Pick<ListRequest, 'query'>,
  project: ProjectContext,
): ParsedInsight<KnownInsightType> {
  if (!query) throw invalid('query', 'is required', REASON)
  try {
    return parseInsight(query, project)
  } catch (error) {
    throw error instanceof ServiceError ? violationsBelow('query', error) : error
  }
}

/** The point with the entries of its breakdown in one order: clients may send them in any, and in another one each time. */
function orderMaps(point: Point | undefined): Point {
  if (!point) throw invalid('point', 'is required', REASON)
  const { kind } = point
  if (kind.case === undefined || !('breakdown' in kind.value)) return point
  const entries = Object.entries(kind.value.breakdown).sort(([left], [right]) => (left < right ? -1 : 1))
  const value = { ...kind.value, breakdown: Object.fromEntries(entries) }
  return create(PointSchema, { kind: { case: kind.case, value } as Point['kind'] })
}

/** Completes the users of a page with their profiles, traits and counted events. */
async function describe(
  { ids, users }: Pick<ActorPage, 'ids' | 'users'>,
  activity: readonly ActorActivity[],
  { projectId, run }: { readonly projectId: ProjectId; readonly run: QueryRunner },
): Promise<MessageInitShape<typeof ActorSchema>[]> {
  if (users.length === 0) return []
  const isListed = sql`user_hash IN ${param(uint64ArrayCodec, users)}`
  const [people, traits, locations] = await Promise.all([
    run(select(PERSON_COLUMNS, sql`FROM (${identifiedPeople(projectId, isListed)})`)),
    readTraits({ projectId, users }, run),
    readLocations({ projectId, users }, run),
  ])
  const [byUser, activityOf] = [
    new Map(people.map((person) => [person.user, person])),
    new Map(activity.map((each) => [each.user, each])),
  ]
  return users.map((user, index) => {
    const person = byUser.get(user)
    return {
      id: ids[index] ?? '',
      ...(person ? { profileId: person.id, traits: traits.get(user) ?? {} } : {}),
      ...toCounted(activityOf.get(user)),
      ...locations.get(user),
    }
  })
}

function toCounted(activity: ActorActivity | undefined): MessageInitShape<typeof ActorSchema> {
  if (!activity) return {}
  const { events, firstMs, lastMs, sessions } = activity
  return {
    events: BigInt(events),
    firstEventTime: timestampFromMs(firstMs),
    lastEventTime: timestampFromMs(lastMs),
    sessionIds: [...sessions],
  }
}
