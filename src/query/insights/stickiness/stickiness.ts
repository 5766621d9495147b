import type { MessageInitShape } from '@bufbuild/protobuf'
import type { StickinessPointSchema } from '../../../contract/gen/millrace/insights/v1/stickiness_pb.js'
import type { StickinessQuery } from '../../../domain/insights/stickiness.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileStickiness } from './compile.ts'

/** Users by the number of buckets in which they were active, for each series. */
export const answerStickiness: AnswerInsight<StickinessQuery> = async (query, context, run) => {
  const rows = await run(compileStickiness(query, context))
  const series = query.series.map(({ kind }, index) => {
    const users = new Map(
      rows.filter(({ series }) => series === index).map(({ buckets, users }) => [buckets, users]),
    )
    return { eventKind: kind, points: fillPoints(query.starts.length, users) }
  })
  return { case: 'stickiness', value: { series } }
}

/** A point for every number of buckets; `users` are those with exactly that many. */
function fillPoints(
  bucketCount: number,
  users: ReadonlyMap<number, number>,
): MessageInitShape<typeof StickinessPointSchema>[] {
  const points: MessageInitShape<typeof StickinessPointSchema>[] = []
  let cumulative = 0
  for (let buckets = bucketCount; buckets > 0; buckets--) {
    const exactly = users.get(buckets) ?? 0
    cumulative += exactly
    points.push({ buckets, users: BigInt(exactly), cumulative: BigInt(cumulative) })
  }
  return points.reverse()
}
