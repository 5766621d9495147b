import type { JsonObject } from '@bufbuild/protobuf'
import type { Peer } from './world/peers.ts'

/** A query of the benchmark: as a request, as SQL written by hand, and as peers run it. */
export interface BenchmarkQuery {
  /** `type/what`, in kebab case. */
  readonly name: string
  /** What answers it: `InsightsService.Query` or `VisitsService.List`. */
  readonly answeredBy?: 'insights' | 'visits'
  /** A QueryRequest, or the request of the other method, in proto JSON. */
  readonly request: JsonObject
  /** The definitions of the cohorts that the request names, in proto JSON, by id. */
  readonly cohorts?: Readonly<Record<string, JsonObject>>
  /** The fastest SQL known to us with the same exact result. The last column is the figure, the others name it. */
  readonly hand: string
  /** The query without its cohort, and the scan of the cohort: together the base of its cost. */
  readonly apart?: { readonly request: JsonObject; readonly scan: string }
  /** The statements of peers for it, on their own layouts. */
  readonly peers?: readonly PeerSql[]
}

/** A peer's statement, with columns as above. */
export interface PeerSql {
  readonly peer: Peer
  readonly sql: string
  /** Why its result differs, or what is written differently. */
  readonly note?: string
}
