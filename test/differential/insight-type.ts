import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type {
  Granularity,
  InsightQuerySpecSchema,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type {
  QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { ListPoints } from './points.ts'
import type { Query } from './query.ts'

/** A spec as a generator writes it. */
export type Spec = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>

type ResultInit = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>

/** A rule of a type, and fields of a spec in proto JSON that break it and no other. */
export interface BrokenRule {
  readonly name: string
  readonly fields: JsonObject
}

/** An insight type in the differential tests. */
export interface InsightTypeEntry {
  /** The slow obvious answer. */
  readonly answer: (query: Query) => ResultInit
  /** Every point of the answer to a query; ids of nodes are those of the answer. */
  readonly points: ListPoints
  /** A spec from parts that are valid for the type. */
  readonly generate: (rng: Prng, generated: GeneratedWorld, granularity: Granularity) => Spec
  /** The fields of the least valid spec, in proto JSON. */
  readonly smallest: JsonObject
  /** A value of each field that the type has and some other type lacks, in proto JSON. */
  readonly fields: JsonObject
  /** The granularities that the type takes; absent for all. */
  readonly granularities?: readonly Granularity[]
  /** The rules of the type's own fields. */
  readonly broken: readonly BrokenRule[]
  /**
   * A form of a result of the type that is equal for equal answers; `undefined` for other results. Without it, results
   * are compared as they are.
   */
  readonly normalise?: (result: QueryResponse['result']) => unknown
}
