import type { TimeZone } from '../../domain/insights/time-zone.ts'
import type { ForeignItem } from '../../pipeline/dialects/foreign/foreign-batch.ts'
import { objectOf, type SourceObject, textOf } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { isAnonymous } from '../../pipeline/dialects/mixpanel/mixpanel-ids.ts'
import { parseMixpanelTime } from '../../pipeline/dialects/mixpanel/mixpanel-time.ts'
import { NO_TRAITS } from '../../pipeline/dialects/mixpanel/read-claim.ts'
import { readMixpanelEvent } from '../../pipeline/dialects/mixpanel/read-event.ts'
import { importItem } from './from-dialect.ts'
import { type Imported, RejectedRecord } from './imported.ts'
import type { MapContext } from './map-record.ts'

/** An export has no request. */
const NO_REQUEST = { key: undefined, receivedMs: 0, isOnDevice: false } as const

const DAY_MS = 86_400_000

/** Converts an event of a raw Mixpanel export. Throws {@link RejectedRecord}. */
export function readMixpanel(record: SourceObject, { sessions, timeZone }: MapContext): Imported {
  const properties = objectOf(record.properties)
  const before = textOf(properties.$distinct_id_before_identity)
  const sent = {
    ...record,
    properties: {
      ...properties,
      distinct_id: before ?? properties.distinct_id,
      time: toSentTime(properties.time, timeZone),
    },
  }
  const item = readMixpanelEvent(sent, NO_REQUEST)
  if (item.event !== undefined && parseMixpanelTime(properties.time) === undefined)
    throw new RejectedRecord('the event has no valid time')
  return importItem(withMergedId(item, { properties, before }), sessions)
}

/**
 * Mixpanel exports the id that it has merged an event's id into beside the id as it was sent. The merge is a claim where it is certain
 * which of the two is the visitor's.
 */
function withMergedId(
  item: ForeignItem,
  { properties, before }: { readonly properties: SourceObject; readonly before: string | undefined },
): ForeignItem {
  const merged = textOf(properties.distinct_id)
  const { event, identification } = item
  if (event === undefined || identification || before === undefined || merged === undefined) return item
  if (!isAnonymous(before, properties) || isAnonymous(merged, properties)) return item
  return {
    ...item,
    identification: { isImplied: true, externalId: merged, anonymousId: before, ...NO_TRAITS },
  }
}

/** The time in seconds in UTC. */
function toSentTime(time: unknown, timeZone: TimeZone | undefined): unknown {
  const wallMs = parseMixpanelTime(time)
  return wallMs === undefined || timeZone === undefined ? time : toInstant(wallMs, timeZone) / 1000
}

/**
 * Projects created before 2023 export the wall-clock time of their zone as if it were UTC. When daylight saving time ends, a
 * repeated hour is taken for its first occurrence.
 */
function toInstant(wallMs: number, timeZone: TimeZone): number {
  const segments = timeZone.segments(wallMs - DAY_MS, wallMs + DAY_MS)
  const [first] = segments
  const found = segments.find(({ startMs, offsetMs }, index) => {
    const ms = wallMs - offsetMs
    return ms >= startMs && ms < (segments[index + 1]?.startMs ?? Number.POSITIVE_INFINITY)
  })
  return wallMs - (found ?? first ?? { offsetMs: 0 }).offsetMs
}
