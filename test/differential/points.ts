import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PointSchema } from '../../src/contract/gen/millrace/people/v1/actors_service_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ReferenceEvent } from './model.ts'
import type { Query } from './query.ts'
import type { BrokenDown } from './ranking.ts'

type PointInit = Exclude<MessageInitShape<typeof PointSchema>, { $typeName: string }>
type Kind = Exclude<NonNullable<PointInit['kind']>, { case: undefined }>

/** A point of an answer with the events that it counts. */
export interface ReferencePoint {
  readonly point: PointInit
  readonly events: readonly ReferenceEvent[]
  /** The number that the answer shows there, when it counts users. */
  readonly users?: number | undefined
}

/** Lists the points of an answer. */
export type ListPoints = (query: Query, response: QueryResponse) => readonly ReferencePoint[]

/** A point of a kind. */
export function pointOf<Case extends Kind['case']>(
  name: Case,
  value: Extract<Kind, { case: Case }>['value'],
): PointInit {
  return { kind: { case: name, value } as Kind }
}

/** How a point names a series. */
export function seriesName({ breakdown, isOthers }: BrokenDown<unknown>): {
  readonly breakdown: Record<string, string>
  readonly others: boolean
} {
  return isOthers ? { breakdown: {}, others: true } : { breakdown, others: false }
}
