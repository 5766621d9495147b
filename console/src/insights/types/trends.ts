import type { TrendsResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { lazy } from 'solid-js'
import { seriesLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { isoOf } from '../../format/values.ts'
import { arePartsOfWhole } from '../model/additive.ts'
import type { Draft } from '../model/draft.ts'
import { SERIES_MAX, seriesLetter } from '../model/fields.ts'
import { defineInsightType } from '../model/insight-type.ts'
import {
  decodeBreakdowns,
  decodeSeries,
  encodeBreakdowns,
  encodeSeries,
  namedBreakdowns,
} from '../model/series.ts'
import {
  decodeSessions,
  describeSubject,
  encodeSessions,
  MEASURE_FIELD,
  SESSION_FIELDS,
} from '../model/sessions.ts'
import type { Views } from '../model/views.ts'

const VIEWS: Views = ['line', 'area', 'bars', 'grouped', 'kpi', 'table']
const VIEWS_OF_PARTS: Views = ['line', 'area', 'bars', 'grouped', 'kpi', 'pie', 'table']

/** Metrics over time. */
export const trends = defineInsightType({
  label: 'Trends',
  result: 'trends',
  views: (draft, result) =>
    (result ? areAnsweredParts(draft, result) : hasSeveralParts(draft)) ? VIEWS_OF_PARTS : VIEWS,
  timedViews: ['line', 'area', 'bars', 'grouped', 'table'],
  comparable: { column: 2 },
  defaultSize: { w: 6, h: 7 },
  tileSettings: ['legend', 'scale', 'sparkline'],
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
    { kind: 'breakdowns' },
  ],
  describe: describeSubject,
  encode: (draft) => ({
    ...(draft.measure === 'events' ? { events: encodeSeries(draft.events) } : encodeSessions(draft)),
    ...encodeBreakdowns(draft),
  }),
  decode: (spec) => ({ ...decodeSeries(spec), ...decodeSessions(spec), ...decodeBreakdowns(spec) }),
  table: ({ series }) => ({
    columns: [plain('Series'), { name: 'Time', kind: 'instant' }, { name: 'Value', kind: 'value' }],
    rows: series.flatMap((one) =>
      one.points.map((point) => [seriesLabel(one), isoOf(point.time), point.value]),
    ),
  }),
  Chart: lazy(async () => ({ default: (await import('../../charts/trends.tsx')).TrendsChart })),
})

function hasSeveralParts(draft: Draft): boolean {
  const isSeveral =
    namedBreakdowns(draft).length > 0 || (draft.measure === 'events' && draft.events.length > 1)
  return isSeveral && arePartsOfWhole(draft)
}

/** The query of a public dashboard leaves out its events, its answer names them. */
function areAnsweredParts(draft: Draft, { series }: TrendsResult): boolean {
  const isPublic = draft.events.every(({ kind }) => kind === '')
  return arePartsOfWhole(draft, isPublic ? [...new Set(series.map(({ eventKind }) => eventKind))] : undefined)
}
