import { lazy } from 'solid-js'
import { DIMENSIONS, newDraft } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { keyOf, recordOf, withoutZeros } from '../model/json.ts'
import { rankingTable, rankingViews } from '../model/ranking.ts'
import { decodeScope, encodeScopedMetric } from '../model/series.ts'

/** The values of a dimension with the highest metric. */
export const topK = defineInsightType({
  label: 'Top values',
  result: 'topK',
  views: rankingViews,
  timedViews: [],
  comparable: { column: 1 },
  defaultSize: { w: 6, h: 7 },
  tileSettings: [],
  fields: [
    {
      kind: 'group',
      legend: 'Events',
      path: 'spec.topK',
      fields: [
        {
          kind: 'choice',
          name: 'dimension',
          label: 'Rank',
          choices: DIMENSIONS,
          path: 'spec.topK.dimension',
        },
        {
          kind: 'property',
          name: 'dimensionProperty',
          label: 'Property',
          path: 'spec.topK.property',
          when: ({ dimension }) => dimension === 'DIMENSION_PROPERTY',
        },
        { kind: 'scope', path: 'spec.topK', metric: 'any' },
        { kind: 'count', name: 'limit', label: 'Show top (0 for 10)', path: 'spec.topK.limit' },
        { kind: 'toggle', name: 'omitOthers', label: 'Hide “Other”' },
      ],
    },
  ],
  encode: ({ scope, dimension, dimensionProperty, limit, omitOthers }) => ({
    topK: {
      ...encodeScopedMetric(scope),
      dimension,
      ...(dimension === 'DIMENSION_PROPERTY' && { property: dimensionProperty }),
      ...withoutZeros({ limit }),
      omitOthers,
    },
  }),
  decode: (spec) => {
    const query = recordOf(spec.topK)
    return {
      ...decodeScope(query),
      dimension: keyOf(DIMENSIONS, query.dimension, newDraft().dimension),
      dimensionProperty: String(query.property ?? ''),
      limit: Number(query.limit ?? 0),
      omitOthers: query.omitOthers === true,
    }
  },
  table: rankingTable,
  Chart: lazy(async () => ({ default: (await import('../../charts/ranking.tsx')).RankingChart })),
})
