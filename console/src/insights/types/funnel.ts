import { durationMs } from '@bufbuild/protobuf/wkt'
import { lazy } from 'solid-js'
import { eventLabel, seriesLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { SERIES_MAX } from '../model/fields.ts'
import { defineInsightType } from '../model/insight-type.ts'
import {
  decodeBreakdowns,
  decodeSeries,
  describeEvents,
  encodeBreakdowns,
  encodeSteps,
} from '../model/series.ts'

/** People who complete steps in order. */
export const funnel = defineInsightType({
  label: 'Funnel',
  result: 'funnel',
  views: () => ['chart', 'table'],
  timedViews: [],
  comparable: { column: 3 },
  defaultSize: { w: 6, h: 7 },
  tileSettings: [],
  fields: [
    {
      kind: 'series',
      titleOf: (index) => `Step ${index + 1}`,
      noun: 'step',
      countMax: SERIES_MAX,
      metric: 'none',
    },
    { kind: 'breakdowns' },
    {
      kind: 'count',
      name: 'conversionWindowSeconds',
      label: 'Complete within seconds (0 for no limit)',
      path: 'spec.conversionWindow',
    },
    { kind: 'toggle', name: 'includeStepTiming', label: 'Times between steps' },
  ],
  describe: describeEvents,
  encode: (draft) => ({
    events: encodeSteps(draft.events),
    ...encodeBreakdowns(draft),
    ...(draft.conversionWindowSeconds > 0 && { conversionWindow: `${draft.conversionWindowSeconds}s` }),
    ...(draft.includeStepTiming && { includeStepTiming: true }),
  }),
  decode: (spec) => ({
    ...decodeSeries(spec),
    ...decodeBreakdowns(spec),
    conversionWindowSeconds: Number.parseInt(String(spec.conversionWindow ?? '0'), 10),
    includeStepTiming: spec.includeStepTiming === true,
  }),
  table: ({ series }) => ({
    columns: [
      ...['Series', 'Step', 'Event', 'People'].map(plain),
      { name: 'Conversion', kind: 'share' },
      plain('Median seconds'),
    ],
    rows: series.flatMap(({ breakdown, steps }) =>
      steps.map((step, index) => [
        seriesLabel({ breakdown }),
        index + 1,
        eventLabel(step.eventKind),
        step.total,
        steps[0] && steps[0].total > 0 ? step.total / steps[0].total : 0,
        step.timing?.median ? durationMs(step.timing.median) / 1000 : '',
      ]),
    ),
  }),
  Chart: lazy(async () => ({ default: (await import('../../charts/funnel.tsx')).FunnelChart })),
})
