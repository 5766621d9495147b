import { EVERY_PATH, type Route, route } from '../rpc/router.ts'
import type { EdgeMethod } from './exchange.ts'

/** The handler of a request at the edge. */
export type EdgeTarget =
  | { readonly kind: 'preflight' | 'liveness' | 'readiness' | 'forward' }
  | { readonly kind: 'ingestion'; readonly path: string; readonly method: EdgeMethod }

/** Requests without a route go to the query process, as do the other methods of the health checks. */
export const FORWARD: EdgeTarget = { kind: 'forward' }

/** The routes of the public address; `methods` are those that this process serves itself, by path. */
export function edgeRoutes(methods: ReadonlyMap<string, EdgeMethod>): readonly Route<EdgeTarget>[] {
  return [
    route('OPTIONS', EVERY_PATH, { kind: 'preflight' }),
    route('GET', '/healthz', { kind: 'liveness' }),
    route('GET', '/readyz', { kind: 'readiness' }),
    ...Array.from(
      methods,
      ([path, method]): Route<EdgeTarget> => route('any', path, { kind: 'ingestion', path, method }),
    ),
  ]
}
