import { EVERY_PATH, type Route, route } from '../rpc/router.ts'
import type { EdgeMethod } from './exchange.ts'

/** The handler of a request at the edge. */
export type EdgeTarget =
  | { readonly kind: 'preflight' | 'liveness' | 'readiness' | 'forward' }
  | { readonly kind: 'ingestion'; readonly path: string; readonly method: EdgeMethod }
  /** Serves every path of its route, and every HTTP method. */
  | { readonly kind: 'dialect'; readonly method: EdgeMethod }

/** Requests without a route go to the query process, as do the other methods of the health checks. */
export const FORWARD: EdgeTarget = { kind: 'forward' }

const NO_DIALECTS: ReadonlyMap<string, EdgeMethod> = new Map()

/** What this process serves itself. */
export interface EdgeMethods {
  /** Methods by path. */
  readonly ingestion: ReadonlyMap<string, EdgeMethod>
  /** Dialects of other vendors' SDKs, by the path of their route; none when absent. */
  readonly dialects?: ReadonlyMap<string, EdgeMethod>
}

/** The routes of the public address. */
export function edgeRoutes({ ingestion, dialects = NO_DIALECTS }: EdgeMethods): readonly Route<EdgeTarget>[] {
  return [
    route('OPTIONS', EVERY_PATH, { kind: 'preflight' }),
    route('GET', '/healthz', { kind: 'liveness' }),
    route('GET', '/readyz', { kind: 'readiness' }),
    ...Array.from(
      ingestion,
      ([path, method]): Route<EdgeTarget> => route('any', path, { kind: 'ingestion', path, method }),
    ),
    ...Array.from(dialects, ([path, method]): readonly Route<EdgeTarget>[] => [
      route('OPTIONS', path, { kind: 'dialect', method }),
      route('any', path, { kind: 'dialect', method }),
    ]).flat(),
  ]
}
