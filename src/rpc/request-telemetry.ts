import { monotonicMs } from '../kernel/clock.ts'
import { observedCounters, talliedDurations } from '../kernel/metrics.ts'
import type { Durations } from '../kernel/tallied-durations.ts'
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

/** Completed requests of one method. */
interface MethodTally {
  readonly byCode: Map<string, number>
  readonly durations: Durations
}

const tallies = new Map<string, MethodTally>()

observedCounters('millrace_requests_total', 'Completed requests, by method and code of the response.', {
  labels: ['method', 'code'],
  read: () =>
    [...tallies].flatMap(([method, { byCode }]) =>
      [...byCode].map(([code, value]) => ({ labels: { method, code }, value })),
    ),
})
const requestSeconds = talliedDurations(
  'millrace_request_seconds',
  'Time from the headers of a request to its response.',
  'method',
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
  const { byCode, durations } = tallyOf(method)
  byCode.set(code, (byCode.get(code) ?? 0) + 1)
  durations.observe((monotonicMs() - startedMs) / 1000)
}

function tallyOf(method: string): MethodTally {
  const known = tallies.get(method)
  if (known) return known
  const tally = { byCode: new Map<string, number>(), durations: requestSeconds.of(method) }
  tallies.set(method, tally)
  return tally
}

/** `EventsService/BatchCreate` of `/sdk.events.v1.EventsService/BatchCreate`; other paths without their first slash. */
export function methodLabel(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.') + 1, 1))
}
