import { lazy } from 'solid-js'
import { defineInsightType } from '../model/insight-type.ts'
import { recordOf } from '../model/json.ts'
import { isEmptyRanking, rankingTable, rankingViews } from '../model/ranking.ts'
import { decodeRankedSeries, encodeRankedSeries, nameEvent } from '../model/series.ts'

/** A measure by country. */
export const map = defineInsightType({
  type: 'INSIGHT_TYPE_MAP',
  name: 'insights.countries',
  result: 'topK',
  views: rankingViews,
  timedViews: [],
  comparable: { column: 1 },
  defaultSize: { w: 6, h: 9 },
  tileSettings: [],
  describe: ({ series }) => nameEvent(series),
  encode: ({ series }) => ({ map: encodeRankedSeries(series) }),
  decode: (spec) => ({ type: 'INSIGHT_TYPE_MAP', series: decodeRankedSeries(recordOf(spec.map)) }),
  isNothing: isEmptyRanking,
  table: rankingTable,
  Chart: lazy(async () => ({ default: (await import('../../charts/ranking.tsx')).CountryChart })),
})
