import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { LifecycleResult } from '@contract/shared/insights/v1/lifecycle_result_pb.js'
import Recycle from 'lucide-solid/icons/recycle'
import type { ChartTarget } from '../../charts/chart.ts'
import { stateLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { isoOf } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { lazy } from '../../ui/lazy.ts'
import { newSeries } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import type { PointKind } from '../model/points.ts'
import { decodeSteps, describeEvents, encodeSteps } from '../model/series.ts'
import { eventOf, seriesIn, type TabEntry } from '../model/tab.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_LIFECYCLE: { readonly event: EventDraft }
  }
}

/** People per day, week or month who are new, come back or stay away. */
export const lifecycle = defineInsightType({
  type: 'INSIGHT_TYPE_LIFECYCLE',
  name: 'insights.lifecycle',
  result: 'lifecycle',
  views: () => ['chart', 'table'],
  timedViews: ['chart', 'table'],
  comparable: undefined,
  defaultSize: { w: 6, h: 7 },
  tileSettings: ['legend'],
  describe: ({ event }) => describeEvents([event]),
  encode: ({ event }) => ({ events: encodeSteps([event]) }),
  decode: (spec) => {
    const [event] = decodeSteps(spec)
    return { type: 'INSIGHT_TYPE_LIFECYCLE', event }
  },
  isNothing: ({ series }) => series.every(({ points }) => points.every(({ value }) => value === 0)),
  table: ({ series }) => ({
    columns: [
      { name: t('insights.time'), kind: 'instant' },
      ...series.map(({ state }) => plain(stateLabel(state))),
    ],
    rows: (series[0]?.points ?? []).map(({ time }, at) => [
      isoOf(time),
      ...series.map(({ points }) => points[at]?.value ?? 0),
    ]),
  }),
  pointOf: lifecyclePoint,
  Chart: lazy(async () => ({ default: (await import('../../charts/lifecycle.tsx')).LifecycleChart })),
})

/** The tab of a lifecycle. */
export const lifecycleTab: TabEntry = {
  name: 'insights.lifecycle',
  Icon: Recycle,
  has: ({ type }) => type === 'INSIGHT_TYPE_LIFECYCLE',
  partFrom: (draft) => ({
    type: 'INSIGHT_TYPE_LIFECYCLE',
    event: eventOf(seriesIn(draft)[0] ?? newSeries()),
  }),
}

function lifecyclePoint(target: ChartTarget, { series }: LifecycleResult): PointKind | undefined {
  const one = target.kind === 'point' ? series[target.series] : undefined
  if (target.kind !== 'point' || !one) return undefined
  return { case: 'lifecycle', value: { bucket: timestampFromMs(target.startMs), state: one.state } }
}
