import { monotonicMs } from './clock.ts'

/** A span attribute: names, codes and counts, never keys, bodies, addresses or statement values. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Start and end, by the monotonic clock. */
export interface SpanTimes {
  readonly startedMs: number
  readonly endedMs: number
}

/** A span in progress. */
export interface Span {
  /** Adds attributes. */
  set(attributes: SpanAttributes): void
  /** Adds a completed child span. */
  child(name: string, times: SpanTimes, attributes?: SpanAttributes): void
  /** Ends the span; `code` is a Connect code, or `ok`. */
  end(code: string): void
}

/** The initial data of a span. */
export interface SpanStart {
  readonly name: string
  /** `server`: an incoming request. `client`: an outgoing one. */
  readonly kind: 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** The `traceparent` header of a request; without it the current span, if any, is the parent. */
  readonly traceparent?: string | undefined
}

/** Creates spans. */
export interface Tracer {
  /** Starts a span now. */
  start(start: SpanStart): Span
  /** Runs work so that its spans become children of this one. */
  within<T>(span: Span, work: () => T): T
}

let active: Tracer | undefined

/** The tracer of this process; `undefined` when tracing is off, so that it costs nothing. */
export function activeTracer(): Tracer | undefined {
  return active
}

/** Sets the tracer of this process; call before any work starts. */
export function installTracer(tracer: Tracer): void {
  active = tracer
}

/** Times consecutive steps of work that many requests share, and adds them to the span of each. */
export class SharedSteps {
  readonly #steps: (SpanTimes & { readonly name: string; readonly attributes: SpanAttributes })[] = []
  #startedMs = monotonicMs()

  /** Ends the current step, which began with the previous one's end. */
  end(name: string, attributes: SpanAttributes = {}): void {
    const endedMs = monotonicMs()
    this.#steps.push({ name, attributes, startedMs: this.#startedMs, endedMs })
    this.#startedMs = endedMs
  }

  /** Adds the steps to the spans of the requests that took part. */
  addTo(requests: readonly { readonly span?: Span | undefined }[]): void {
    for (const { span } of requests) {
      for (const { name, attributes, ...times } of this.#steps) span?.child(name, times, attributes)
    }
  }
}
