import { create, type JsonObject, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { TimestampSchema, timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ExportResponseSchema } from '../../contract/gen/millrace/people/v1/person_export_service_pb.js'
import { ActivityEventSchema } from '../../contract/gen/shared/activity/v1/activity_pb.js'
import { MergedIdSchema, ProfileSchema } from '../../contract/gen/shared/profiles/v1/profile_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import { listEvents, parseEventCursor } from '../activity/event-page.ts'
import { USER_SPANS_MS } from '../activity/newest-spans.ts'
import { listMergedIds } from '../people/merged-ids.ts'
import type { Person } from '../people/person.ts'
import { toProfile } from '../people/profiles.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import type { QueryRunner } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { canonicalUser, USER_KEY } from '../users/user-sql.ts'

/** The devices of a person, and what their notifications reported. */
export interface PersonDevices {
  readonly devices: readonly PersonDevice[]
  readonly deliveries: readonly PersonDelivery[]
}

/** A device that a person registered or was identified on. Its push token is a credential of the app and not part of it. */
export interface PersonDevice {
  readonly deviceId: string
  readonly platform: string
  readonly status: string
  /** Milliseconds since the Unix epoch. */
  readonly createdMs: number
  readonly updatedMs: number
  readonly properties: JsonObject
}

/** An event of a notification on a device. */
export interface PersonDelivery {
  readonly deviceId: string
  readonly campaignId: string
  readonly messageId: string
  readonly type: string
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  readonly metadata: Readonly<Record<string, string>>
}

/** A cohort that a person is in. */
export interface PersonCohort {
  readonly id: string
  readonly name: string
}

/** A person whose data is exported, and how to read it. */
export interface PersonSource {
  readonly projectId: ProjectId
  readonly person: Person
  readonly run: QueryRunner
  readonly nowMs: number
  readonly readCohorts: () => Promise<readonly PersonCohort[]>
  readonly readDevices: () => Promise<PersonDevices>
}

/** A part of an export. */
export type ExportPart = MessageInitShape<typeof ExportResponseSchema>

/** A person whose id many share by mistake may have any number of ids. */
const IDS_PER_PART = 1000

/** Some hundred kilobytes as events usually are. */
const EVENTS_PER_PART = 500

/** Where a part begins: the profile with what surrounds it, the ids of one's devices and browsers, or the events. */
type Position = { readonly section: 'profile' | 'ids' | 'events'; readonly after: string }

const FIRST: Position = { section: 'profile', after: '' }

const SECTIONS = { profile: exportProfile, ids: exportIds, events: exportEvents } as const

/** Reads the part of an export to which a token leads; the empty one leads to the first. Throws `invalid_argument`. */
export async function exportPart(pageToken: string, source: PersonSource): Promise<ExportPart> {
  const { section, after } = parsePosition(pageToken)
  const { lines, next } = await SECTIONS[section](source, after)
  return {
    jsonLines: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    nextPageToken: next ? encodePageToken([next.section, next.after]) : '',
  }
}

/** The id under which events of a person are looked up. */
export function distinctIdOf({ externalId, id }: Person): string {
  return externalId || id
}

interface Part {
  readonly lines: readonly JsonObject[]
  readonly next: Position | undefined
}

async function exportProfile(source: PersonSource): Promise<Part> {
  const [profile, cohorts, { devices, deliveries }] = await Promise.all([
    toProfile(source, source.run),
    source.readCohorts(),
    source.readDevices(),
  ])
  const lines = [
    { person: toJson(ProfileSchema, create(ProfileSchema, profile)) },
    ...cohorts.map(({ id, name }) => ({ cohort: { id, name } })),
    ...devices.map(({ createdMs, updatedMs, ...device }) => ({
      device: { ...device, createTime: timeText(createdMs), updateTime: timeText(updatedMs) },
    })),
    ...deliveries.map(({ deviceId, campaignId, messageId, type, timeMs, metadata }) => ({
      delivery: { deviceId, campaignId, messageId, type, time: timeText(timeMs), metadata },
    })),
  ]
  return { lines, next: { section: source.person.externalId === '' ? 'events' : 'ids', after: '' } }
}

async function exportIds(source: PersonSource, after: string): Promise<Part> {
  const ids = await listMergedIds({ ...source, after, count: IDS_PER_PART }, source.run)
  const last = ids.length === IDS_PER_PART ? ids.at(-1) : undefined
  return {
    lines: ids.map((id) => ({ id: toJson(MergedIdSchema, create(MergedIdSchema, id)) })),
    next: last?.id === undefined ? { section: 'events', after: '' } : { section: 'ids', after: last.id },
  }
}

/** Every event once, newest first, as `ActivityService.GetActivityFeed` has it. */
async function exportEvents(source: PersonSource, after: string): Promise<Part> {
  const { projectId, person, nowMs, run } = source
  const user = { projectId, distinctId: distinctIdOf(person) }
  const { events, nextPageToken } = await listEvents(
    {
      scope: { projectId, ...(await locateEvents(user, { range: ALL_TIME, run })) },
      conditions: [sql`${USER_KEY} = ${canonicalUser(user)}`],
      pageSize: EVENTS_PER_PART,
      cursor: parseEventCursor(after, 'occurrence'),
      spansMs: USER_SPANS_MS,
      nowMs,
    },
    run,
  )
  return {
    lines: events.map((event) => ({
      event: toJson(ActivityEventSchema, create(ActivityEventSchema, event)),
    })),
    next: nextPageToken === '' ? undefined : { section: 'events', after: nextPageToken },
  }
}

function parsePosition(token: string): Position {
  if (token === '') return FIRST
  const values = decodePageToken(token)
  const [section, after] = values
  if (values.length !== 2 || typeof after !== 'string') throw invalidPageToken()
  if (section !== 'ids' && section !== 'events') throw invalidPageToken()
  return { section, after }
}

function timeText(ms: number): string {
  return toJson(TimestampSchema, timestampFromMs(ms))
}
