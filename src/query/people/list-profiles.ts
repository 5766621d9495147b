import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { type ListRequest, ProfileOrder } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import {
  type CohortLookup,
  NO_COHORT,
  parseCohortFilters,
  withCohorts,
} from '../../domain/insights/cohort-filters.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { parseFilterGroups } from '../../domain/insights/parse-filters.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import { int64Codec, stringCodec } from '../sql/codec.ts'
import { column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { anonymousPeople, identifiedPeople, PERSON_COLUMNS } from './person.ts'
import { personCondition } from './person-condition.ts'
import { personMatches } from './person-search.ts'
import { PEOPLE_ORDERS, type PeopleOrder } from './profile-order.ts'
import { type Profile, toProfiles } from './profiles.ts'

/** One call of `ProfilesService.List`. */
export interface ListCall {
  readonly request: ListRequest
  readonly projectId: ProjectId
  /** Finds the cohorts that the request names. */
  readonly cohorts?: CohortLookup | undefined
  readonly run: QueryRunner
}

/** A message of the stream; the last one carries the token of the next page, or an empty token on the last page. */
export interface ProfilesFrame extends Partial<ProfileCounts> {
  readonly profiles: Profile[]
  readonly nextPageToken: string
}

/** The number of profiles of the project, and of those on all pages of a list. */
interface ProfileCounts {
  readonly totalProfiles: bigint
  readonly matchingProfiles: bigint
}

const REASON = 'INVALID_PROFILE_FILTER'
const PAGE_SIZE_DEFAULT = 100
const PAGE_SIZE_MAX = 1000

/** Profiles per message. */
const FRAME_SIZE = 50

/** People whose traits and events are read at once: it goes through the project's events, of one person as of many. */
const READ_SIZE = 4 * FRAME_SIZE

const LISTED_COLUMNS = { ...PERSON_COLUMNS, sortKey: column(stringCodec, sql`toString(sort_key)`) }

const COUNTED_COLUMNS = {
  ...LISTED_COLUMNS,
  total: column(int64Codec, sql`toInt64(total)`),
  matching: column(int64Codec, sql`toInt64(matching)`),
}

type Listed = Row<typeof LISTED_COLUMNS>

/** One page of profiles in the requested order, by default by (createTime, id), descending. Throws `ServiceError`. */
export async function* listProfiles({ request, run, ...project }: ListCall): AsyncGenerator<ProfilesFrame> {
  const pageSize = parsePageSize(request)
  const { projectId } = project
  const matches = matchesOf(request, project)
  const { people, counts } = await readPeople(request, { matches, projectId, run, rowsMax: pageSize + 1 })
  const page = people.slice(0, pageSize)
  const last = page.at(-1)
  const nextPageToken = people.length > pageSize && last ? encodeToken(request, last) : ''
  let read: readonly Profile[] = []
  for (let start = 0; start < page.length || start === 0; start += FRAME_SIZE) {
    const at = start % READ_SIZE
    if (at === 0) read = await toProfiles({ projectId, people: page.slice(start, start + READ_SIZE) }, run)
    const profiles = read.slice(at, at + FRAME_SIZE)
    const isLast = start + FRAME_SIZE >= page.length
    yield { profiles, nextPageToken: isLast ? nextPageToken : '', ...(start === 0 && counts) }
  }
}

interface Listing {
  readonly matches: Sql
  readonly projectId: ProjectId
  readonly rowsMax: number
}

/** Every id of the project is grouped to list people, and to count them: one statement does both. */
async function readPeople(
  request: ListRequest,
  { run, ...listed }: Listing & { readonly run: QueryRunner },
): Promise<{ readonly people: readonly Listed[]; readonly counts?: ProfileCounts }> {
  const { matches, projectId } = listed
  const all = everyone(projectId)
  if (!request.withCounts) {
    const matching = sql`SELECT * FROM (${all}) WHERE ${matches}`
    return { people: await run(select(LISTED_COLUMNS, listing(request, { ...listed, matching }))) }
  }
  const counted = sql`SELECT *, ${matches} AS is_matching, count() OVER () AS total, countIf(is_matching) OVER () AS matching FROM (${all})`
  const matching = sql`SELECT * FROM (${counted}) WHERE is_matching`
  const people = await run(select(COUNTED_COLUMNS, listing(request, { ...listed, matching })))
  const [first] = people
  if (!first) return { people, counts: await countProfiles(matches, { projectId, run }) }
  return {
    people,
    counts: { totalProfiles: BigInt(first.total), matchingProfiles: BigInt(first.matching) },
  }
}

function parsePageSize({ pageSize }: ListRequest): number {
  if (pageSize < 0 || pageSize > PAGE_SIZE_MAX)
    throw invalid('pageSize', `must be 0 to ${PAGE_SIZE_MAX}`, REASON)
  return pageSize || PAGE_SIZE_DEFAULT
}

function everyone(projectId: ProjectId): Sql {
  return sql`${identifiedPeople(projectId, sql`1`)} UNION ALL ${anonymousPeople(projectId, sql`1`)}`
}

/** Whether the search and the filters match a row of {@link everyone}: 0 or 1. */
function matchesOf(
  request: ListRequest,
  { projectId, cohorts = NO_COHORT }: Pick<ListCall, 'projectId' | 'cohorts'>,
): Sql {
  const groups = parseFilterGroups(request.filterGroups, request.filterGroupsOperator, {
    field: 'filterGroups',
    reason: REASON,
    sourceDefault: PropertySource.PROFILE,
  })
  const ofCohorts = parseCohortFilters(request.cohorts, { field: 'cohorts', reason: REASON }, cohorts)
  const condition = withCohorts(groups, ofCohorts)
  const searched = { user: sql`user_hash`, ids: [sql`id`, sql`external_id`] }
  return sql`${personMatches(request.search.trim(), searched, projectId)} AND ${personCondition(condition, projectId)}`
}

/** `FROM ...`: the next rows of the statement `matching`, in the order of the request. */
function listing(
  request: ListRequest,
  { matching, projectId, rowsMax }: Omit<Listing, 'matches'> & { readonly matching: Sql },
): Sql {
  const order: PeopleOrder = PEOPLE_ORDERS[request.order]
  const isAscending = (order.direction === 'ascending') !== request.isReversed
  const cursor = parseToken(request, order)
  const after = cursor
    ? sql`(sort_key, id) ${isAscending ? sql`>` : sql`<`} (${cursor.key}, ${param(stringCodec, cursor.id)})`
    : sql`1`
  const way = isAscending ? sql`ASC` : sql`DESC`
  return sql`FROM (${order.keyed(matching, projectId)}) WHERE ${after} ORDER BY sort_key ${way}, id ${way} LIMIT ${param(int64Codec, rowsMax)}`
}

/** Of a page without rows, which would carry the counts. */
async function countProfiles(
  matches: Sql,
  { projectId, run }: { readonly projectId: ProjectId; readonly run: QueryRunner },
): Promise<ProfileCounts> {
  const [row] = await run(
    select(
      {
        total: column(int64Codec, sql`toInt64(count())`),
        matching: column(int64Codec, sql`toInt64(countIf(${matches}))`),
      },
      sql`FROM (${everyone(projectId)})`,
    ),
  )
  return { totalProfiles: BigInt(row?.total ?? 0), matchingProfiles: BigInt(row?.matching ?? 0) }
}

interface Cursor {
  readonly key: Sql
  readonly id: string
}

/** A token is valid in one order only; in the default order it is the one of earlier versions. */
function encodeToken({ order, isReversed }: ListRequest, { createdMs, sortKey, id }: Listed): string {
  if (order === ProfileOrder.UNSPECIFIED && !isReversed) return encodePageToken([createdMs, id])
  return encodePageToken([order, isReversed ? 1 : 0, sortKey, id])
}

function parseToken(
  { pageToken, order, isReversed }: ListRequest,
  { parseKey }: PeopleOrder,
): Cursor | undefined {
  if (pageToken === '') return undefined
  const values = decodePageToken(pageToken)
  const isDefault = order === ProfileOrder.UNSPECIFIED && !isReversed
  const [key, id] = isDefault ? values : values.slice(2)
  const isOfOrder = isDefault || (values[0] === order && values[1] === (isReversed ? 1 : 0))
  const parsed = typeof key === (isDefault ? 'number' : 'string') ? parseKey(String(key)) : undefined
  if (!isOfOrder || !parsed || typeof id !== 'string') throw invalidPageToken()
  return { key: parsed, id }
}
