import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { RetentionPoint_Outcome } from '@contract/millrace/people/v1/actors_service_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { RetentionResult } from '@contract/shared/insights/v1/query_result_pb.js'
import CalendarDays from 'lucide-solid/icons/calendar-days'
import type { ChartTarget } from '../../charts/chart.ts'
import { seriesLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { t } from '../../i18n/translate.ts'
import { lazy } from '../../ui/lazy.ts'
import { newSeries } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { groupName, type PointKind } from '../model/points.ts'
import {
  decodeRetentionOptions,
  encodeRetentionOptions,
  findMissingOption,
  NO_RETENTION_OPTIONS,
  type RetentionOptionsDraft,
} from '../model/retention-options.ts'
import {
  decodeBreakdown,
  decodeSteps,
  describeEvents,
  encodeBreakdown,
  encodeSteps,
} from '../model/series.ts'
import { breakdownIn, eventOf, seriesIn, type TabEntry } from '../model/tab.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_RETENTION: {
      readonly first: EventDraft
      /** Absent: the first event again. */
      readonly back: EventDraft | undefined
      readonly breakdown: BreakdownDraft
      readonly options: RetentionOptionsDraft
    }
  }
}

/** People who come back in later periods. */
export const retention = defineInsightType({
  type: 'INSIGHT_TYPE_RETENTION',
  name: 'insights.retention',
  result: 'retention',
  // A chart of retention draws shares; sums and means of a property are in the table only.
  views: ({ options }) => (options.value === 'VALUE_USERS' ? ['chart', 'table'] : ['table']),
  timedViews: ['chart', 'table'],
  comparable: undefined,
  defaultSize: { w: 6, h: 7 },
  tileSettings: [],
  describe: ({ first, back }) => describeEvents(back ? [first, back] : [first]),
  encode: ({ first, back, breakdown, options }) => ({
    events: encodeSteps(back ? [first, back] : [first]),
    ...encodeBreakdown(breakdown),
    ...encodeRetentionOptions(options),
  }),
  decode: (spec) => {
    const [first, back] = decodeSteps(spec)
    return {
      type: 'INSIGHT_TYPE_RETENTION',
      first,
      back,
      breakdown: decodeBreakdown(spec),
      options: decodeRetentionOptions(spec),
    }
  },
  findMissing: ({ options }, granularity) => findMissingOption(options, granularity),
  isNothing: ({ series }) =>
    series.every(({ cohorts }) => cohorts.every(({ cohortSize }) => cohortSize === 0)),
  table: ({ series }, spec) => ({
    columns: [
      plain(t('insights.series')),
      { name: t('insights.cohort'), kind: 'instant' },
      ...[t('insights.people'), t('insights.period')].map(plain),
      plain(t(spec?.retention?.value ? 'insights.value' : 'insights.percent')),
    ],
    rows: series.flatMap(({ breakdown, cohorts }) =>
      cohorts.flatMap(({ cohort, cohortSize, points }) =>
        points.map((point, period) => [seriesLabel({ breakdown }), cohort, cohortSize, period, point.value]),
      ),
    ),
  }),
  pointOf: retentionPoint,
  Chart: lazy(async () => ({ default: (await import('../../charts/retention.tsx')).RetentionChart })),
})

/** The tab of retention. */
export const retentionTab: TabEntry = {
  name: 'insights.retention',
  Icon: CalendarDays,
  has: ({ type }) => type === 'INSIGHT_TYPE_RETENTION',
  partFrom: (draft) => {
    const [first = newSeries(), back] = seriesIn(draft)
    return {
      type: 'INSIGHT_TYPE_RETENTION',
      first: eventOf(first),
      back: back && eventOf(back),
      breakdown: breakdownIn(draft),
      options: NO_RETENTION_OPTIONS,
    }
  },
}

// As numbers: a page without the list of people loads none of its interface.
const RETURNED: RetentionPoint_Outcome.RETURNED = 1
const DID_NOT_RETURN: RetentionPoint_Outcome.DID_NOT_RETURN = 2

function retentionPoint(
  target: ChartTarget,
  { series }: RetentionResult,
  spec: InsightQuerySpec | undefined,
): PointKind | undefined {
  const one = target.kind === 'cell' ? series[target.series] : undefined
  if (target.kind !== 'cell' || !one || Number.isNaN(Date.parse(target.cohort))) return undefined
  const outcome = target.part === 'absent' ? DID_NOT_RETURN : RETURNED
  return {
    case: 'retention',
    value: {
      cohort: timestampFromMs(Date.parse(target.cohort)),
      period: target.period,
      outcome,
      ...groupName(one.breakdown, { rank: target.series, spec }),
    },
  }
}
