import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type TimeRange, TimeRangeSchema } from '@contract/common/v1/time_range_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { AggregationType } from '@contract/shared/insights/v1/event_query_pb.js'
import { Granularity, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { RangeMs } from '@domain/time-ranges.ts'
import { clientOf } from '../rpc/client.ts'
import { commonProperties } from './recent-events.ts'

const insightsClient = clientOf(InsightsService)
const activityClient = clientOf(ActivityService)

/** The sample of latest events whose properties are counted: enough for the usual ones, in one request. */
const SAMPLE_EVENTS = 50

/** The facts that the preview shows beside the counts of an event. */
export interface EventFacts {
  /** Events of each of the last 30 days; the last day is not over. */
  readonly dailyCounts: readonly number[]
  /** People with the event in the last 30 days. */
  readonly people: number
  /** Its own properties, those of the most events first. */
  readonly properties: readonly string[]
}

/** Reads the facts of an event; empty for all events. Aborts with the signal. */
export async function readEventFacts(kind: string, range: RangeMs, signal: AbortSignal): Promise<EventFacts> {
  const timeRange = create(TimeRangeSchema, {
    from: timestampFromMs(range.fromMs),
    to: timestampFromMs(range.toMs),
  })
  const [dailyCounts, people, sample] = await Promise.all([
    readDailyCounts(kind, timeRange, signal),
    readPeople(kind, timeRange, signal),
    activityClient.getEventExplorer(
      { events: kind === '' ? [] : [{ kind }], timeRange, pageSize: SAMPLE_EVENTS },
      { signal },
    ),
  ])
  return { dailyCounts, people, properties: commonProperties(sample.events) }
}

async function readDailyCounts(
  kind: string,
  timeRange: TimeRange,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const events = [{ event: { kind }, aggregation: AggregationType.TOTAL }]
  const spec = { insightType: InsightType.TRENDS, events }
  const { result } = await insightsClient.query({ spec, timeRange, granularity: Granularity.DAY }, { signal })
  if (result.case !== 'trends') return []
  return (result.value.series[0]?.points ?? []).map(({ value }) => value)
}

async function readPeople(kind: string, timeRange: TimeRange, signal: AbortSignal): Promise<number> {
  const events = [{ event: { kind }, aggregation: AggregationType.UNIQUE_USERS }]
  const spec = { insightType: InsightType.SEGMENTATION, events }
  const { result } = await insightsClient.query({ spec, timeRange, granularity: Granularity.DAY }, { signal })
  return result.case === 'segmentation' ? result.value.total : 0
}
