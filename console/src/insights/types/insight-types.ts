import {
  type InsightQuerySpec,
  InsightType as TypeNumber,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { ChartTarget } from '../../charts/chart.ts'
import type { NameKey } from '../../i18n/translate.ts'
import type { PeopleSource, PointInit } from '../../people/people-context.ts'
import { type Draft, type Granularity, type InsightType, propertyOf } from '../model/draft.ts'
import { seriesOf } from '../model/events.ts'
import type { InsightTypeEntry, Result } from '../model/insight-type.ts'
import type { TabEntry } from '../model/tab.ts'
import { funnel, funnelTab } from './funnel.ts'
import { lifecycle, lifecycleTab } from './lifecycle.ts'
import { countriesTab, map } from './map.ts'
import { retention, retentionTab } from './retention.ts'
import { segmentation } from './segmentation.ts'
import { stickiness, stickinessTab } from './stickiness.ts'
import { topK, topTab } from './top-k.ts'
import { sessionsTab, trends, trendsTab } from './trends.ts'
import { pathsTab, userFlow } from './user-flow.ts'

/** The insight types, in the order of the builder. */
export const INSIGHT_TYPES: Readonly<Record<InsightType, InsightTypeEntry>> = {
  INSIGHT_TYPE_TRENDS: trends,
  INSIGHT_TYPE_SEGMENTATION: segmentation,
  INSIGHT_TYPE_FUNNEL: funnel,
  INSIGHT_TYPE_RETENTION: retention,
  INSIGHT_TYPE_USER_FLOW: userFlow,
  INSIGHT_TYPE_TOP_K: topK,
  INSIGHT_TYPE_MAP: map,
  INSIGHT_TYPE_LIFECYCLE: lifecycle,
  INSIGHT_TYPE_STICKINESS: stickiness,
}

/** The tabs of the builder, in its order. */
export const TAB_ENTRIES = {
  trends: trendsTab,
  funnel: funnelTab,
  retention: retentionTab,
  lifecycle: lifecycleTab,
  stickiness: stickinessTab,
  paths: pathsTab,
  top: topTab,
  countries: countriesTab,
  sessions: sessionsTab,
} as const satisfies Readonly<Record<string, TabEntry>>
/** A tab of the builder. */
export type Tab = keyof typeof TAB_ENTRIES

/** The type of a spec; trends for one without a type. */
export function typeOfSpec({ insightType }: Pick<InsightQuerySpec, 'insightType'>): InsightType {
  const name = `INSIGHT_TYPE_${TypeNumber[insightType]}`
  return Object.hasOwn(INSIGHT_TYPES, name) ? (name as InsightType) : 'INSIGHT_TYPE_TRENDS'
}

/** The entry of an answer: by its query, or by its result where they disagree or the query is unknown. */
export function entryOfAnswer(
  result: Result,
  spec: Pick<InsightQuerySpec, 'insightType'> | undefined,
): InsightTypeEntry | undefined {
  const asked = spec && INSIGHT_TYPES[typeOfSpec(spec)]
  if (asked?.result === result.case) return asked
  return Object.values(INSIGHT_TYPES).find((entry) => entry.result === result.case)
}

/** The missing part of a draft, as a message; `undefined` for a draft that is a complete query of buckets of that width. */
export function findMissing(draft: Draft, granularity?: Granularity): NameKey | undefined {
  const isIncomplete = seriesOf(draft).some(({ measure }) => propertyOf(measure) === '')
  return (
    INSIGHT_TYPES[draft.type].findMissing(draft, granularity) ??
    (isIncomplete ? 'insights.missingProperty' : undefined)
  )
}

/** Whether an answer has nothing to show. */
export function isNothing(result: Result): boolean {
  return entryOfAnswer(result, undefined)?.isNothing(result) ?? true
}

/** The point that a part of a chart stands for; `undefined` where the answer does not have it. */
export function pointOfTarget(
  target: ChartTarget,
  { request: { spec }, result }: Pick<PeopleSource, 'request' | 'result'>,
): PointInit | undefined {
  const kind = entryOfAnswer(result, spec)?.pointOf(target, result, spec)
  return kind && { kind }
}
