import type { Span, Tracer } from '../kernel/tracing.ts'

/** Begins the span of a call that came in. `path` is that of a known method: what clients make up names no span. */
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
