import { monotonicMs } from '../kernel/clock.ts'
import { counter, durationHistogram } from '../kernel/metrics.ts'
import type { Span, Tracer } from '../kernel/tracing.ts'

/** Starts the server span of a call. `path` must be that of a known method: text of clients must not name spans. */
export function startRpcSpan(
  tracer: Tracer,
  path: string,
  head: { header(name: string): string | undefined },
): Span {
  const [service = '', method = ''] = path.slice(1).split('/')
  const isGrpc = head.header('content-type')?.startsWith('application/grpc') === true
  return tracer.start({
    name: `${service}/${method}`,
    kind: 'server',
    attributes: {
      'rpc.system': isGrpc ? 'grpc' : 'connect_rpc',
      'rpc.service': service,
      'rpc.method': method,
    },
    traceparent: head.header('traceparent') || undefined,
  })
}

const requests = counter(
  'millrace_requests_total',
  'Completed requests, by method and code of the response.',
  ['method', 'code'],
)
const requestSeconds = durationHistogram(
  'millrace_request_seconds',
  'Time from the headers of a request to its response.',
  ['method'],
)

/** The label of requests for unknown methods: text of clients must not become labels. */
export const UNKNOWN_METHOD = 'unknown'

/** Counts an answered request. `code` is a Connect code, or `ok`. */
export function countRequest({
  method,
  code,
  startedMs,
}: {
  /** Name of the service without its package, and of the method. */
  readonly method: string
  readonly code: string
  /** By {@link monotonicMs}. */
  readonly startedMs: number
}): void {
  requests.inc({ method, code })
  requestSeconds.observe({ method }, (monotonicMs() - startedMs) / 1000)
}

/** `EventsService/BatchCreate` of `/sdk.events.v1.EventsService/BatchCreate`; other paths without their first slash. */
export function methodLabel(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.') + 1, 1))
}
