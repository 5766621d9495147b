import type { ChartNote } from '../context/chart-notes.ts'
import { bucketOf } from './buckets.ts'

/** The annotations of one bucket. */
export interface AnnotationGroup {
  readonly index: number
  readonly annotations: readonly ChartNote[]
  /** Whether the title has room above the chart. */
  readonly look: 'pill' | 'ring'
}

/** Approximate width of a letter, and of the rest of a pill. */
const LETTER = 6.2
const PILL = 34

/** Annotations by their buckets; a title is shown where it meets neither a neighbour nor the edge. */
export function groupAnnotations(
  annotations: readonly ChartNote[],
  { times, bucketPixels }: { readonly times: readonly number[]; readonly bucketPixels: number },
): readonly AnnotationGroup[] {
  const byIndex = new Map<number, ChartNote[]>()
  for (const annotation of annotations) {
    const index = bucketOf(times, annotation.timeMs)
    if (index !== undefined) byIndex.set(index, [...(byIndex.get(index) ?? []), annotation])
  }
  const groups = [...byIndex].sort(([a], [b]) => a - b)
  return groups.map(([index, group], at) => {
    const half = ((group[0]?.title.length ?? 0) * LETTER + PILL) / 2
    const room = Math.min(
      (index - (groups[at - 1]?.[0] ?? Number.NEGATIVE_INFINITY)) * bucketPixels,
      ((groups[at + 1]?.[0] ?? Number.POSITIVE_INFINITY) - index) * bucketPixels,
    )
    const edge = Math.min(index, times.length - 1 - index) * bucketPixels
    const isPill = group.length === 1 && half * 2 <= room && half <= edge
    return { index, annotations: group, look: isPill ? 'pill' : 'ring' }
  })
}
