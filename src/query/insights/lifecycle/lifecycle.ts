import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { LifecycleState } from '../../../contract/gen/millrace/insights/v1/lifecycle_pb.js'
import type { LifecycleQuery } from '../../../domain/insights/lifecycle.ts'
import type { AnswerInsight } from '../insight.ts'
import { compileLifecycle } from './compile.ts'

/** The states in the order of an answer. */
const STATES = [
  LifecycleState.NEW,
  LifecycleState.RETURNING,
  LifecycleState.RESURRECTED,
  LifecycleState.DORMANT,
] as const

/** Users per bucket by state. */
export const answerLifecycle: AnswerInsight<LifecycleQuery> = async (query, context, run) => {
  const rows = await run(compileLifecycle(query, context))
  const times = query.starts.map((startMs) => timestampFromMs(startMs))
  const series = STATES.map((state) => {
    const users = new Map(
      rows.filter((row) => row.state === state).map(({ bucket, users }) => [bucket, users]),
    )
    return { state, points: times.map((time, bucket) => ({ time, value: users.get(bucket) ?? 0 })) }
  })
  return { case: 'lifecycle', value: { series } }
}
