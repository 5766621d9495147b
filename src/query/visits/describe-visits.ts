import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { VisitorSchema, VisitSchema } from '../../contract/gen/millrace/web/v1/visits_service_pb.js'
import { Dimension } from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { valueAtFirst } from '../attribution/first-events.ts'
import { NOT_BOT } from '../insights/event-sql.ts'
import { identifiedPeople, PERSON_COLUMNS, readTraits } from '../people/person.ts'
import {
  bigintCodec,
  boolCodec,
  int64Codec,
  stringCodec,
  uint64ArrayCodec,
  uint64Codec,
  uuidArrayCodec,
  uuidCodec,
} from '../sql/codec.ts'
import { type EventScope, scopedEvents } from '../sql/events-table.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type Column, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'
import { DIMENSIONS, IS_PAGE_VIEW, type VisitAttribute, visitValue } from '../web/dimensions.ts'
import { onlyOfCohorts } from '../web/visits-sql.ts'
import type { VisitSelection } from '../web/web-query.ts'
import type { VisitStart } from './find-starts.ts'

/** Maximum ids to pass as a parameter; with more, the events are found by time and session alone. */
const HASHES_MAX = 4000

const text = (attribute: VisitAttribute): Column<string> =>
  column(stringCodec, sql`toString(${visitValue(attribute)})`)

const COLUMNS = {
  sessionId: column(uuidCodec, sql`session_id`),
  startMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(time))`),
  endMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(time))`),
  events: column(bigintCodec, sql`toInt64(count())`),
  pageViews: column(bigintCodec, sql`toInt64(countIf(${IS_PAGE_VIEW}))`),
  isBot: column(boolCodec, sql`toBool(NOT min(${NOT_BOT}))`),
  user: column(uint64Codec, valueAtFirst(USER_KEY)),
  distinctId: column(stringCodec, valueAtFirst(sql`distinct_id`)),
  isCookieless: column(boolCodec, valueAtFirst(sql`cookieless`)),
  entryPage: text(DIMENSIONS[Dimension.ENTRY_PAGE]),
  exitPage: text(DIMENSIONS[Dimension.EXIT_PAGE]),
  channel: text(DIMENSIONS[Dimension.CHANNEL]),
  referrer: text(DIMENSIONS[Dimension.REFERRER]),
  utmSource: text(DIMENSIONS[Dimension.UTM_SOURCE]),
  utmMedium: text(DIMENSIONS[Dimension.UTM_MEDIUM]),
  utmCampaign: text(DIMENSIONS[Dimension.UTM_CAMPAIGN]),
  country: text(DIMENSIONS[Dimension.COUNTRY]),
  region: text(DIMENSIONS[Dimension.REGION]),
  city: text(DIMENSIONS[Dimension.CITY]),
  browser: text(DIMENSIONS[Dimension.BROWSER]),
  os: text(DIMENSIONS[Dimension.OS]),
  deviceType: text(DIMENSIONS[Dimension.DEVICE_TYPE]),
  language: text(DIMENSIONS[Dimension.LANGUAGE]),
}

type VisitRow = Row<typeof COLUMNS>
type Visitor = Exclude<MessageInitShape<typeof VisitorSchema>, { $typeName: string }>

/**
 * Reads the visits that were found, in their order, with their visitors. Events that the cohorts leave out are no part of a
 * visit. A visit that is gone by now is left out.
 */
export async function describeVisits(
  { projectId, cohorts }: Pick<VisitSelection, 'projectId' | 'cohorts'>,
  starts: readonly VisitStart[],
  run: QueryRunner,
): Promise<MessageInitShape<typeof VisitSchema>[]> {
  if (starts.length === 0) return []
  const ids = param(
    uuidArrayCodec,
    starts.map(({ sessionId }) => sessionId),
  )
  const scope = scopeOf(starts)
  const events = scopedEvents({ projectId, ...scope })
  const ofCohorts = onlyOfCohorts(cohorts, { projectId, range: scope })
  const rows = await run(
    select(COLUMNS, sql`${events} AND session_id IN ${ids}${ofCohorts} GROUP BY session_id`),
  )
  const byId = new Map(rows.map((row) => [row.sessionId, row]))
  const found = starts.flatMap(({ sessionId }) => byId.get(sessionId) ?? [])
  const visitorOf = await readVisitors(projectId, found, run)
  return found.map((row) => toVisit(row, visitorOf(row)))
}

/** Where the events of visits are: between the first and the last, and of certain ids where those are few. */
export function scopeOf(starts: readonly VisitStart[]): Pick<EventScope, 'fromMs' | 'toMs' | 'userHashes'> {
  const hashes = [...new Set(starts.flatMap((start) => start.hashes))]
  const isWhole = starts.some((start) => start.hashes.length === 0) || hashes.length > HASHES_MAX
  return {
    fromMs: starts.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY),
    toMs: starts.reduce((most, { endMs }) => Math.max(most, endMs + 1), 0),
    userHashes: isWhole ? undefined : sql`${param(uint64ArrayCodec, hashes)}`,
  }
}

function toVisit(row: VisitRow, visitor: Visitor): MessageInitShape<typeof VisitSchema> {
  const { startMs, endMs, user: _, distinctId: __, isCookieless: ___, ...rest } = row
  return {
    ...rest,
    startTime: timestampFromMs(startMs),
    endTime: timestampFromMs(endMs),
    bounced: rest.events === 1n,
    visitor,
  }
}

/** The visitors of the rows, by their profiles and ids as they are now. */
async function readVisitors(
  projectId: ProjectId,
  rows: readonly VisitRow[],
  run: QueryRunner,
): Promise<(row: VisitRow) => Visitor> {
  const users = [...new Set(rows.map(({ user }) => user))]
  const isOfPage = sql`user_hash IN ${param(uint64ArrayCodec, users)}`
  const names = select(
    { user: column(uint64Codec, sql`user_hash`), externalId: column(stringCodec, sql`any(external_id)`) },
    sql`${scopedTable('profiles', projectId)} AND ${isOfPage} GROUP BY user_hash`,
  )
  const [externalIds, people, traits] = await Promise.all([
    run(names),
    run(select(PERSON_COLUMNS, sql`FROM (${identifiedPeople(projectId, isOfPage)})`)),
    readTraits({ projectId, users }, run),
  ])
  const externalIdOf = new Map(externalIds.map(({ user, externalId }) => [user, externalId]))
  const profileIdOf = new Map(people.map(({ user, id }) => [user, id]))
  return ({ user, distinctId, isCookieless }) => {
    const profileId = profileIdOf.get(user)
    return {
      id: externalIdOf.get(user) || distinctId,
      isCookieless,
      ...(profileId === undefined ? {} : { profileId, traits: traits.get(user) ?? {} }),
    }
  }
}
