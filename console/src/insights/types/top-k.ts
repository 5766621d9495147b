import type { JsonObject } from '@bufbuild/protobuf'
import ChartBarDecreasing from 'lucide-solid/icons/chart-bar-decreasing'
import { t } from '../../i18n/translate.ts'
import { lazy } from '../../ui/lazy.ts'
import { newEvent, newSeries, type RankedDraft, withoutWindow } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { type Json, recordOf, withoutZeros } from '../model/json.ts'
import { isEmptyRanking, rankingPoint, rankingTable, rankingViews } from '../model/ranking.ts'
import { decodeRankedSeries, encodeRankedSeries, nameEvent, nameProperty } from '../model/series.ts'
import { breakdownIn, seriesIn, type TabEntry } from '../model/tab.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_TOP_K: {
      readonly series: SeriesDraft
      readonly ranked: RankedDraft
      /** 0 for the default of the service. */
      readonly limit: number
      readonly others: 'shown' | 'hidden'
    }
  }
}

/** The values of a dimension with the highest measure. */
export const topK = defineInsightType({
  type: 'INSIGHT_TYPE_TOP_K',
  name: 'insights.topValues',
  result: 'topK',
  views: rankingViews,
  timedViews: [],
  comparable: { column: 1 },
  defaultSize: { w: 6, h: 7 },
  tileSettings: [],
  describe: ({ ranked, series }) =>
    ranked.of === 'property'
      ? t('insights.valuesOf', { property: nameProperty(ranked.property), events: nameEvent(series) })
      : t(ranked.of === 'people' ? 'insights.people' : 'insights.events'),
  encode: ({ series, ranked, limit, others }) => ({
    topK: {
      ...encodeRankedSeries(series),
      ...encodeRanked(ranked),
      ...withoutZeros({ limit }),
      omitOthers: others === 'hidden',
    },
  }),
  decode: (spec) => {
    const query = recordOf(spec.topK)
    return {
      type: 'INSIGHT_TYPE_TOP_K',
      series: decodeRankedSeries(query),
      ranked: decodeRanked(query),
      limit: Number(query.limit ?? 0),
      others: query.omitOthers === true ? 'hidden' : 'shown',
    }
  },
  findMissing: ({ ranked }) =>
    ranked.of === 'property' && ranked.property === '' ? 'insights.missingRanked' : undefined,
  isNothing: isEmptyRanking,
  table: rankingTable,
  pointOf: rankingPoint,
  Chart: lazy(async () => ({ default: (await import('../../charts/ranking.tsx')).RankingChart })),
})

/** The values that a new ranking shows. */
const ROWS = 10

/** The tab of rankings. */
export const topTab: TabEntry = {
  name: 'insights.topValues',
  Icon: ChartBarDecreasing,
  has: ({ type }) => type === 'INSIGHT_TYPE_TOP_K',
  partFrom: (draft) => {
    const [property] = breakdownIn(draft).properties
    const [series = newSeries()] = seriesIn(draft)
    return {
      type: 'INSIGHT_TYPE_TOP_K',
      // One event has no ranking of events.
      series: withoutWindow(property ? series : { ...series, ...newEvent() }),
      ranked: property ? { of: 'property', property: property.property } : { of: 'events' },
      limit: ROWS,
      others: 'shown',
    }
  },
}

function encodeRanked(ranked: RankedDraft): JsonObject {
  if (ranked.of === 'property') return { dimension: 'DIMENSION_PROPERTY', property: ranked.property }
  return { dimension: ranked.of === 'people' ? 'DIMENSION_USER' : 'DIMENSION_EVENT_KIND' }
}

function decodeRanked({ dimension, property }: Json): RankedDraft {
  if (dimension === 'DIMENSION_PROPERTY') return { of: 'property', property: String(property ?? '') }
  return { of: dimension === 'DIMENSION_USER' ? 'people' : 'events' }
}
