import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { NO_SESSION } from '@domain/uuid.ts'

/** Events in a row of a timeline: one, or equal page views. */
export interface TimelineItem {
  readonly event: ActivityEvent
  /** Further page views of the same page, one after the other. */
  readonly folded: readonly ActivityEvent[]
}

/** The events of a session. */
export interface SessionGroup {
  readonly id: string
  readonly startMs: number
  readonly endMs: number
  readonly eventCount: number
  /** By time, earliest first. */
  readonly items: readonly TimelineItem[]
  readonly channel: string
  readonly country: string
  readonly city: string
  readonly device: string
}

/** Whether an event belongs to a session: those that servers send have the nil UUID. */
export function hasSession({ sessionId }: Pick<ActivityEvent, 'sessionId'>): boolean {
  return sessionId !== NO_SESSION
}

/** The address of a session, with its events. */
export function sessionHref(projectId: string, sessionId: string): string {
  return `/p/${projectId}/sessions?${new URLSearchParams({ session: sessionId })}`
}

/** The time of an event. */
export function timeOf({ occurTime }: Pick<ActivityEvent, 'occurTime'>): number {
  return occurTime ? timestampMs(occurTime) : 0
}

/** A property of the page or the visit as text; empty where it is none. */
export function autoText({ autoProperties }: Pick<ActivityEvent, 'autoProperties'>, name: string): string {
  const value = autoProperties?.[name]
  return typeof value === 'string' ? value : ''
}

/** Longer pauses divide the events without a session. */
const PAUSE_MS_MAX = 30 * 60_000

/**
 * Groups events, newest first, by session; the session with the newest event comes first. Events without a session form groups with
 * pauses of at most half an hour, each with the id of its newest event.
 */
export function groupSessions(events: readonly ActivityEvent[]): readonly SessionGroup[] {
  let [id, earlierMs] = ['', Number.POSITIVE_INFINITY]
  const bySession = Map.groupBy(events, (event) => {
    if (hasSession(event)) return event.sessionId
    if (earlierMs - timeOf(event) > PAUSE_MS_MAX) id = `event ${event.eventId}`
    earlierMs = timeOf(event)
    return id
  })
  return [...bySession].map(([id, newestFirst]) => toGroup(id, newestFirst.toReversed()))
}

function toGroup(id: string, events: readonly ActivityEvent[]): SessionGroup {
  const firstText = (name: string): string =>
    events.map((event) => autoText(event, name)).find((text) => text !== '') ?? ''
  const times = events.map(timeOf)
  return {
    id,
    startMs: times[0] ?? 0,
    endMs: times.at(-1) ?? 0,
    eventCount: events.length,
    items: foldEvents(events),
    channel: firstText('$channel'),
    country: firstText('$country'),
    city: firstText('$city'),
    device: firstText('$deviceType'),
  }
}

/** Events, the first one first, as rows: page views of one page that follow each other become one item. */
export function foldEvents(events: readonly ActivityEvent[]): readonly TimelineItem[] {
  const items: { event: ActivityEvent; folded: ActivityEvent[] }[] = []
  for (const event of events) {
    const last = items.at(-1)
    if (last && isSamePage(last.event, event)) last.folded.push(event)
    else items.push({ event, folded: [] })
  }
  return items
}

function isSamePage(left: ActivityEvent, right: ActivityEvent): boolean {
  const isView = left.kind === 'page_view' && right.kind === 'page_view'
  return isView && autoText(left, '$pathname') === autoText(right, '$pathname')
}
