import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import type { ListRequest } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { parseFilterGroups } from '../../domain/insights/parse-filters.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../calls/page-token.ts'
import { int64Codec, stringCodec } from '../sql/codec.ts'
import { type QueryRunner, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { anonymousPeople, identifiedPeople, PERSON_COLUMNS, type Person } from './person.ts'
import { personCondition } from './person-condition.ts'
import { type Profile, toProfiles } from './profiles.ts'

/** One call of `ProfilesService.List`. */
export interface ListCall {
  readonly request: ListRequest
  readonly projectId: ProjectId
  readonly run: QueryRunner
}

/** A message of the stream; the last one carries the token of the next page, or an empty token on the last page. */
export interface ProfilesFrame {
  readonly profiles: Profile[]
  readonly nextPageToken: string
}

const PAGE_SIZE = 100

/** Profiles per message: a client can show the first ones while the rest are read. */
const FRAME_SIZE = 50

/** One page of profiles by (createTime, id), descending. Throws `ServiceError`. */
export async function* listProfiles({ request, projectId, run }: ListCall): AsyncGenerator<ProfilesFrame> {
  const people = await run(select(PERSON_COLUMNS, listing(request, projectId)))
  const page = people.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  const nextPageToken = people.length > PAGE_SIZE && last ? encodeToken(last) : ''
  for (let start = 0; start < page.length || start === 0; start += FRAME_SIZE) {
    const frame = page.slice(start, start + FRAME_SIZE)
    const isLast = start + FRAME_SIZE >= page.length
    const profiles = await toProfiles({ projectId, people: frame }, run)
    yield { profiles, nextPageToken: isLast ? nextPageToken : '' }
  }
}

function listing(request: ListRequest, projectId: ProjectId): Sql {
  const condition = parseFilterGroups(request.filterGroups, request.filterGroupsOperator, {
    field: 'filterGroups',
    reason: 'INVALID_PROFILE_FILTER',
    sourceDefault: PropertySource.PROFILE,
  })
  const cursor = parseToken(request.pageToken)
  const after = cursor
    ? sql`(created, id) < (fromUnixTimestamp64Milli(${param(int64Codec, cursor.createdMs)}, 'UTC'), ${param(stringCodec, cursor.id)})`
    : sql`1`
  const everyone = sql`${identifiedPeople(projectId, sql`1`)} UNION ALL ${anonymousPeople(projectId, sql`1`)}`
  return sql`FROM (${everyone}) WHERE ${after} AND ${personCondition(condition, projectId)} ORDER BY created DESC, id DESC LIMIT ${param(int64Codec, PAGE_SIZE + 1)}`
}

interface Cursor {
  readonly createdMs: number
  readonly id: string
}

function encodeToken({ createdMs, id }: Person): string {
  return encodePageToken([createdMs, id])
}

function parseToken(token: string): Cursor | undefined {
  if (token === '') return undefined
  const [createdMs, id] = decodePageToken(token)
  if (!Number.isSafeInteger(createdMs) || typeof id !== 'string') throw invalidPageToken()
  return { createdMs: Number(createdMs), id }
}
