import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { AggregationType } from '@contract/shared/insights/v1/event_query_pb.js'
import { Granularity, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { type JSX, Show } from 'solid-js'
import { Sparkline } from '../../charts/sparkline.tsx'
import { useWorkspace } from '../../context/workspace.ts'
import { formatDay, formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { insightRange } from '../../insights/insight-period.ts'
import { toTimeRange } from '../../insights/period.ts'
import { clientOf } from '../../rpc/client.ts'

const insightsClient = clientOf(InsightsService)

/** The people of a cohort who were active, day by day for a month. */
export function CohortTrend(props: { readonly cohort: Cohort }): JSX.Element {
  const workspace = useWorkspace()
  const trend = useQuery(() => {
    const { id, updateTime } = props.cohort
    return {
      queryKey: ['cohort-trend', workspace().project.id, id, String(updateTime?.seconds)],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        await readActive(id, workspace().timeZone, signal),
    }
  })
  const days = () => (trend.isSuccess ? trend.data : [])
  const dayAt = (at: number): string => {
    const day = days().at(at)
    return day ? formatDay(day.ms, workspace().timeZone) : ''
  }
  const highest = (): number => Math.max(0, ...days().map(({ people }) => people))
  return (
    <Show when={highest() > 0}>
      <figure
        class="cohorts-trend"
        aria-label={t('cohorts.trendSummary', {
          from: dayAt(0),
          to: dayAt(-1),
          highest: formatNumber(highest()),
        })}
      >
        <Sparkline
          values={days().map(({ people }) => people)}
          previous={[]}
          incomplete={days().length - 1}
          area
        />
        <figcaption aria-hidden="true">
          <span>{dayAt(0)}</span>
          <span>{t('cohorts.active')}</span>
          <span>{dayAt(-1)}</span>
        </figcaption>
      </figure>
    </Show>
  )
}

async function readActive(cohortId: string, timeZone: string, signal: AbortSignal) {
  const range = insightRange({ last: 30, unit: 'days' }, { nowMs: Date.now(), timeZone })
  const { result } = await insightsClient.query(
    {
      spec: {
        insightType: InsightType.TRENDS,
        events: [{ event: {}, aggregation: AggregationType.UNIQUE_USERS }],
        cohorts: [{ cohortId }],
      },
      timeRange: toTimeRange(range),
      granularity: Granularity.DAY,
    },
    { signal },
  )
  const points = result.case === 'trends' ? (result.value.series[0]?.points ?? []) : []
  return points.map(({ time, value }) => ({ ms: time ? timestampMs(time) : 0, people: value }))
}
