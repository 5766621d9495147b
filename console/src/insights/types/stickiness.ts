import Magnet from 'lucide-solid/icons/magnet'
import { eventLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { t } from '../../i18n/translate.ts'
import { lazy } from '../../ui/lazy.ts'
import { newEvent } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { decodeSteps, describeEvents, encodeSteps, STICKINESS_MAX } from '../model/series.ts'
import { eventOf, seriesIn, type TabEntry } from '../model/tab.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_STICKINESS: { readonly events: readonly EventDraft[] }
  }
}

/** People by the number of days, or other periods, on which they were active. */
export const stickiness = defineInsightType({
  type: 'INSIGHT_TYPE_STICKINESS',
  name: 'insights.stickiness',
  result: 'stickiness',
  views: () => ['chart', 'table'],
  timedViews: [],
  comparable: undefined,
  defaultSize: { w: 6, h: 7 },
  tileSettings: [],
  describe: ({ events }) => describeEvents(events),
  encode: ({ events }) => ({ events: encodeSteps(events) }),
  decode: (spec) => ({ type: 'INSIGHT_TYPE_STICKINESS', events: decodeSteps(spec) }),
  isNothing: ({ series }) => series.every(({ points }) => (points[0]?.cumulative ?? 0n) === 0n),
  table: ({ series }) => ({
    columns: [
      t('insights.series'),
      t('insights.activePeriods'),
      t('insights.people'),
      t('insights.thatManyOrMore'),
    ].map(plain),
    rows: series.flatMap(({ eventKind, points }) =>
      points.map(({ buckets, users, cumulative }) => [
        eventLabel(eventKind),
        buckets,
        Number(users),
        Number(cumulative),
      ]),
    ),
  }),
  pointOf: (target) =>
    target.kind === 'activity'
      ? {
          case: 'stickiness',
          value: { series: target.series, buckets: target.buckets, cumulative: target.orMore },
        }
      : undefined,
  Chart: lazy(async () => ({ default: (await import('../../charts/stickiness.tsx')).StickinessChart })),
})

/** The tab of stickiness. */
export const stickinessTab: TabEntry = {
  name: 'insights.stickiness',
  Icon: Magnet,
  has: ({ type }) => type === 'INSIGHT_TYPE_STICKINESS',
  partFrom: (draft) => {
    const [first, ...others] = seriesIn(draft).slice(0, STICKINESS_MAX).map(eventOf)
    return { type: 'INSIGHT_TYPE_STICKINESS', events: [first ?? newEvent(), ...others] }
  },
}
