import { lazy } from 'solid-js'
import { seriesLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { defineInsightType } from '../model/insight-type.ts'
import {
  decodeBreakdowns,
  decodeSeries,
  describeEvents,
  encodeBreakdowns,
  encodeSteps,
} from '../model/series.ts'

/** People who come back in later periods. */
export const retention = defineInsightType({
  label: 'Retention',
  result: 'retention',
  views: () => ['chart', 'table'],
  timedViews: ['chart', 'table'],
  comparable: undefined,
  defaultSize: { w: 6, h: 7 },
  tileSettings: [],
  fields: [
    {
      kind: 'series',
      titleOf: (index) => (index === 0 ? 'People who first did' : 'Then came back and did'),
      noun: 'return event',
      countMax: 2,
      metric: 'none',
    },
    { kind: 'breakdowns' },
  ],
  describe: describeEvents,
  encode: (draft) => ({ events: encodeSteps(draft.events), ...encodeBreakdowns(draft) }),
  decode: (spec) => ({ ...decodeSeries(spec), ...decodeBreakdowns(spec) }),
  table: ({ series }) => ({
    columns: [
      plain('Series'),
      { name: 'Cohort', kind: 'instant' },
      ...['People', 'Period', 'Percent'].map(plain),
    ],
    rows: series.flatMap(({ breakdown, cohorts }) =>
      cohorts.flatMap(({ cohort, cohortSize, points }) =>
        points.map((point, period) => [seriesLabel({ breakdown }), cohort, cohortSize, period, point.value]),
      ),
    ),
  }),
  Chart: lazy(async () => ({ default: (await import('../../charts/retention.tsx')).RetentionChart })),
})
