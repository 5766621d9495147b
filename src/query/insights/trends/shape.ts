import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { TrendsResultSchema } from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { bucketStarts } from '../buckets.ts'
import type { BucketCount } from './compile.ts'
import type { TrendsQuestion } from './spec.ts'

/** Series in the order of the question, each with every bucket of the range; buckets without events are 0. */
export function shapeTrends(
  question: TrendsQuestion,
  counts: readonly BucketCount[],
): MessageInitShape<typeof TrendsResultSchema> {
  const starts = bucketStarts(question.range, question.granularity)
  const series = question.kinds.map((kind) => {
    const byBucket = new Map<number, number>()
    for (const row of counts) {
      if (kind !== '' && row.kind !== kind) continue
      byBucket.set(row.bucketMs, (byBucket.get(row.bucketMs) ?? 0) + row.count)
    }
    const points = starts.map((start) => ({ time: timestampFromMs(start), value: byBucket.get(start) ?? 0 }))
    return { eventKind: kind, points }
  })
  return { series }
}
