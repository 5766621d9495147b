import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { FunnelPoint_Outcome } from '@contract/millrace/people/v1/actors_service_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { FunnelResult } from '@contract/shared/insights/v1/query_result_pb.js'
import Funnel from 'lucide-solid/icons/funnel'
import type { ChartTarget } from '../../charts/chart.ts'
import { lazy } from '../../ui/lazy.ts'
import {
  decodeFunnelOptions,
  encodeFunnelOptions,
  type FunnelOptionsDraft,
  NO_FUNNEL_OPTIONS,
} from '../model/funnel-options.ts'
import { funnelTable } from '../model/funnel-table.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { groupName, type PointKind } from '../model/points.ts'
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
    readonly INSIGHT_TYPE_FUNNEL: {
      readonly steps: readonly EventDraft[]
      readonly breakdown: BreakdownDraft
      /** The longest time from the first step to the last; 0 for no limit. */
      readonly windowSeconds: number
      readonly timing: 'shown' | 'hidden'
      readonly options: FunnelOptionsDraft
    }
  }
}

/** People who complete steps in order. */
export const funnel = defineInsightType({
  type: 'INSIGHT_TYPE_FUNNEL',
  name: 'insights.funnel',
  result: 'funnel',
  views: () => ['chart', 'table'],
  timedViews: [],
  comparable: { column: 3 },
  defaultSize: { w: 6, h: 7 },
  tileSettings: [],
  describe: ({ steps }) => describeEvents(steps),
  encode: ({ steps, breakdown, windowSeconds, timing, options }) => ({
    events: encodeSteps(steps),
    ...encodeBreakdown(breakdown),
    ...(windowSeconds > 0 && { conversionWindow: `${windowSeconds}s` }),
    ...(timing === 'shown' && { includeStepTiming: true }),
    ...encodeFunnelOptions(options, steps.length),
  }),
  decode: (spec) => ({
    type: 'INSIGHT_TYPE_FUNNEL',
    steps: decodeSteps(spec),
    breakdown: decodeBreakdown(spec),
    windowSeconds: Number.parseInt(String(spec.conversionWindow ?? '0'), 10),
    timing: spec.includeStepTiming === true ? 'shown' : 'hidden',
    options: decodeFunnelOptions(spec, decodeSteps(spec).length),
  }),
  isNothing: ({ series }) => series.every(({ steps }) => (steps[0]?.total ?? 0) === 0),
  table: ({ series }, spec) => funnelTable(series, spec?.funnel),
  pointOf: funnelPoint,
  Chart: lazy(async () => ({ default: (await import('../../charts/funnel.tsx')).FunnelChart })),
})

/** Time from the first step to the last in a new funnel. */
const WINDOW_SECONDS = 14 * 86_400

/** The tab of funnels. */
export const funnelTab: TabEntry = {
  name: 'insights.funnel',
  Icon: Funnel,
  has: ({ type }) => type === 'INSIGHT_TYPE_FUNNEL',
  partFrom: (draft) => ({
    type: 'INSIGHT_TYPE_FUNNEL',
    steps: seriesIn(draft).map(eventOf),
    breakdown: breakdownIn(draft),
    windowSeconds: WINDOW_SECONDS,
    timing: 'shown',
    options: NO_FUNNEL_OPTIONS,
  }),
}

// As numbers: a page without the list of people loads none of its interface.
const REACHED: FunnelPoint_Outcome.REACHED = 1
const DROPPED: FunnelPoint_Outcome.DROPPED = 2

function funnelPoint(
  target: ChartTarget,
  { series }: FunnelResult,
  spec: InsightQuerySpec | undefined,
): PointKind | undefined {
  const one = target.kind === 'step' || target.kind === 'point' ? series[target.series] : undefined
  if (!one) return undefined
  if (target.kind === 'point') {
    // The people of a bucket are those who converted.
    const inBucket = groupName(one.breakdown, { rank: target.series, spec })
    const bucket = timestampFromMs(target.startMs)
    return { case: 'funnel', value: { step: one.steps.length, outcome: REACHED, ...inBucket, bucket } }
  }
  if (target.kind !== 'step') return undefined
  const outcome = target.part === 'dropped' ? DROPPED : REACHED
  const group = groupName(one.breakdown, { rank: target.series, spec })
  return { case: 'funnel', value: { step: target.step + 1, outcome, ...group } }
}
