import MapIcon from 'lucide-solid/icons/map'
import { lazy } from '../../ui/lazy.ts'
import { newSeries, withoutWindow } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { recordOf } from '../model/json.ts'
import { isEmptyRanking, rankingPoint, rankingTable, rankingViews } from '../model/ranking.ts'
import { decodeRankedSeries, encodeRankedSeries, nameEvent } from '../model/series.ts'
import { seriesIn, type TabEntry } from '../model/tab.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_MAP: { readonly series: SeriesDraft }
  }
}

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
  pointOf: rankingPoint,
  Chart: lazy(async () => ({ default: (await import('../../charts/ranking.tsx')).CountryChart })),
})

/** The tab of countries. */
export const countriesTab: TabEntry = {
  name: 'insights.countries',
  Icon: MapIcon,
  has: ({ type }) => type === 'INSIGHT_TYPE_MAP',
  partFrom: (draft) => ({
    type: 'INSIGHT_TYPE_MAP',
    series: withoutWindow(seriesIn(draft)[0] ?? newSeries()),
  }),
}
