import type { ErrorCode } from '../contract/service-error.ts'
import { monotonicMs } from '../kernel/clock.ts'
import { activeTracer, type Span } from '../kernel/tracing.ts'
import { countRequest, methodLabel, startRpcSpan } from '../rpc/request-telemetry.ts'

/** A request of ingestion from its headers to its answer, for metrics and traces. */
export class RequestWatch {
  /** `undefined` when nobody traces. */
  readonly span: Span | undefined
  readonly #method: string
  readonly #startedMs = monotonicMs()

  constructor(path: string, head: { header(name: string): string | undefined }) {
    this.#method = methodLabel(path)
    const tracer = activeTracer()
    if (tracer) this.span = startRpcSpan(tracer, path, head)
  }

  /** Tells the trace which request it is. */
  identify(requestId: string): void {
    this.span?.set({ 'millrace.request_id': requestId })
  }

  /** The answer is on its way. */
  end(code: ErrorCode | 'ok'): void {
    countRequest({ method: this.#method, code, startedMs: this.#startedMs })
    this.span?.set({ 'rpc.response.status_code': code })
    this.span?.end(code)
  }
}
