import { lazy } from 'solid-js'
import { SERIES_MAX, seriesLetter } from '../model/fields.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { decodeSeries, encodeSeries } from '../model/series.ts'
import {
  decodeSessions,
  describeSubject,
  encodeSessions,
  MEASURE_FIELD,
  SESSION_FIELDS,
} from '../model/sessions.ts'

/** A metric as one number. */
export const segmentation = defineInsightType({
  label: 'Single number',
  result: 'segmentation',
  views: () => ['kpi', 'table'],
  timedViews: [],
  comparable: { column: 0 },
  defaultSize: { w: 4, h: 4 },
  tileSettings: [],
  fields: [
    MEASURE_FIELD,
    {
      kind: 'series',
      titleOf: seriesLetter,
      noun: 'series',
      countMax: SERIES_MAX,
      metric: 'any',
      when: ({ measure }) => measure === 'events',
    },
    SESSION_FIELDS,
  ],
  describe: describeSubject,
  encode: (draft) =>
    draft.measure === 'events' ? { events: encodeSeries(draft.events) } : encodeSessions(draft),
  decode: (spec) => ({ ...decodeSeries(spec), ...decodeSessions(spec) }),
  table: ({ total }) => ({ columns: [{ name: 'Value', kind: 'value' }], rows: [[total]] }),
  Chart: lazy(async () => ({ default: (await import('../../charts/number-card.tsx')).SegmentationChart })),
})
