import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { PointInit } from '../../people/people-context.ts'

/** A point of an answer with its kind. */
export type PointKind = NonNullable<PointInit['kind']>

/** The label of all other values of a breakdown. */
const OTHERS = '$others'
/** Breakdown values of an answer whose query sets no limit. */
const LIMIT_DEFAULT = 10

/** The breakdown values of an answer that have a series of their own. */
export function limitOf(spec: InsightQuerySpec | undefined): number {
  return spec?.breakdownLimit || LIMIT_DEFAULT
}

/** The name of a breakdown value in a point. The rest comes after the limit's values; a real value may have its label. */
export function groupName(
  breakdown: Readonly<Record<string, string>>,
  { rank, spec }: { readonly rank: number; readonly spec: InsightQuerySpec | undefined },
): { readonly others: true } | { readonly breakdown: Record<string, string> } {
  const texts = Object.values(breakdown)
  const isRest = rank >= limitOf(spec) && texts.length > 0 && texts.every((text) => text === OTHERS)
  return isRest ? { others: true } : { breakdown: { ...breakdown } }
}
