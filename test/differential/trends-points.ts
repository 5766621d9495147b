import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { bucketIndex } from './buckets.ts'
import { breakDownEntry, eventsOfBuckets, listEntries } from './entries.ts'
import { breakDownFormula, distinct, eventsOfPoints, namesIn } from './formulas.ts'
import { countsUsers } from './metrics.ts'
import { type ListPoints, pointOf, type ReferencePoint, seriesName } from './points.ts'
import { bucketsOf, type Query } from './query.ts'
import { breakDownSessions } from './session-metrics.ts'

/** The points of trends: of each event and formula, or of sessions. */
export const listTrendsPoints: ListPoints = (query, response) =>
  query.spec.session ? sessionPoints(query) : [...eventPoints(query, response), ...formulaPoints(query)]

function eventPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const starts = bucketsOf(query)
  const answered = result.case === 'trends' ? result.value.series : []
  let position = 0
  return listEntries(query).flatMap((entry, series) => {
    const eventsOfGroup = eventsOfBuckets(query, entry)
    return breakDownEntry(query, entry).flatMap((group) => {
      const points = answered[position++]?.points
      const eventsAt = eventsOfGroup(group)
      const name = { series, ...seriesName(group) }
      const buckets = starts.map((startMs, index) => ({
        point: pointOf('trends', { ...name, bucket: timestampFromMs(startMs) }),
        events: eventsAt(index),
        users: countsUsers(entry.metric) ? points?.[index]?.value : undefined,
      }))
      return [{ point: pointOf('trends', name), events: group.items }, ...buckets]
    })
  })
}

/** Of a formula, those of all entries that it names. */
function formulaPoints(query: Query): readonly ReferencePoint[] {
  const starts = bucketsOf(query)
  const { events, formulas } = query.spec
  return formulas.flatMap((formula, index) => {
    const eventsOfGroup = eventsOfPoints(query, formula)
    return breakDownFormula(query, formula).flatMap((group) => {
      const name = { series: events.length + index, ...seriesName(group) }
      const eventsAt = eventsOfGroup(group)
      const buckets = starts.map((startMs, bucket) => ({
        point: pointOf('trends', { ...name, bucket: timestampFromMs(startMs) }),
        events: distinct(namesIn(formula).flatMap((entry) => eventsAt(entry, bucket))),
      }))
      const inRange = distinct(group.items.map(({ event }) => event))
      return [{ point: pointOf('trends', name), events: inRange }, ...buckets]
    })
  })
}

function sessionPoints(query: Query): readonly ReferencePoint[] {
  const { session } = query.spec
  if (!session) return []
  const starts = bucketsOf(query)
  return breakDownSessions(query, session).flatMap((group) => {
    const name = seriesName(group)
    const buckets = starts.map((startMs, index) => ({
      point: pointOf('trends', { ...name, bucket: timestampFromMs(startMs) }),
      events: group.items
        .filter(({ first }) => bucketIndex(starts, first.occurMs) === index)
        .flatMap(({ events }) => events),
    }))
    return [
      { point: pointOf('trends', name), events: group.items.flatMap(({ events }) => events) },
      ...buckets,
    ]
  })
}
