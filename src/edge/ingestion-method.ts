import type { RequestHead } from './batch-create.ts'
import type { Exchange } from './exchange.ts'

/** An RPC that the edge serves itself, over any transport. */
export interface IngestionMethod {
  /** Serves a request to its end. Must be called in the tick in which its headers came in. */
  serve(head: RequestHead, exchange: Exchange): void
}
