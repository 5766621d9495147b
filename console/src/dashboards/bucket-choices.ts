import { Granularity } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { NameKey } from '../i18n/translate.ts'
import type { InsightType } from '../insights/model/draft.ts'

const NAMES = {
  [Granularity.UNSPECIFIED]: 'dashboards.intervalOfBoard',
  [Granularity.MINUTE]: 'dashboards.intervalMinute',
  [Granularity.HOUR]: 'dashboards.intervalHour',
  [Granularity.DAY]: 'dashboards.intervalDay',
  [Granularity.WEEK]: 'dashboards.intervalWeek',
  [Granularity.MONTH]: 'dashboards.intervalMonth',
} as const satisfies Record<Granularity, NameKey>

/** The widths of the buckets of a tile; the first is that of the dashboard. */
export const BUCKET_CHOICES: readonly { readonly value: string; readonly name: NameKey }[] = Object.entries(
  NAMES,
).map(([value, name]) => ({ value, name }))

/** Those of a tile of a type; a lifecycle has no shorter buckets than days. */
export function bucketChoicesOf(type: InsightType): typeof BUCKET_CHOICES {
  if (type !== 'INSIGHT_TYPE_LIFECYCLE') return BUCKET_CHOICES
  return BUCKET_CHOICES.filter(
    ({ name }) => name !== NAMES[Granularity.MINUTE] && name !== NAMES[Granularity.HOUR],
  )
}

/** The text of a width among the choices. */
export function writeBuckets(granularity: Granularity): string {
  return String(granularity)
}
