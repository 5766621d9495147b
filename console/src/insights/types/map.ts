import { lazy } from 'solid-js'
import { defineInsightType } from '../model/insight-type.ts'
import { recordOf } from '../model/json.ts'
import { rankingTable, rankingViews } from '../model/ranking.ts'
import { decodeScope, encodeScopedMetric } from '../model/series.ts'

/** A metric by country. */
export const map = defineInsightType({
  label: 'Countries',
  result: 'topK',
  views: rankingViews,
  timedViews: [],
  comparable: { column: 1 },
  defaultSize: { w: 6, h: 9 },
  tileSettings: [],
  fields: [
    {
      kind: 'group',
      legend: 'Events',
      path: 'spec.map',
      fields: [{ kind: 'scope', path: 'spec.map', metric: 'any' }],
    },
  ],
  encode: ({ scope }) => ({ map: encodeScopedMetric(scope) }),
  decode: (spec) => decodeScope(recordOf(spec.map)),
  table: rankingTable,
  Chart: lazy(async () => ({ default: (await import('../../charts/ranking.tsx')).CountryChart })),
})
