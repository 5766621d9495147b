import type { JsonObject } from '@bufbuild/protobuf'
import type { Peer } from './world/peers.ts'

/** A question of the benchmark: as a client asks it, as a person would write it in SQL, and as peers ask it. */
export interface InsightQuestion {
  /** `type/what`, in kebab case. */
  readonly name: string
  /** A QueryRequest in proto JSON. */
  readonly request: JsonObject
  /** The fastest SQL we could think of that gives the same exact answer. The last column is the figure, the others name it. */
  readonly hand: string
  /** What peers run for it, on their own layouts. */
  readonly peers?: readonly PeerSql[]
}

/** A peer's statement, with columns as above. */
export interface PeerSql {
  readonly peer: Peer
  readonly sql: string
  /** Why it answers otherwise, or what had to be written in another way. */
  readonly note?: string
}
