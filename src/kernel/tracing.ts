/** A value that a span may have: names, codes and counts, never keys, bodies, addresses or values of a statement. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** From when to when, by the monotonic clock. */
export interface SpanTimes {
  readonly startedMs: number
  readonly endedMs: number
}

/** A piece of work under way, as a trace shows it. */
export interface Span {
  /** Adds attributes. */
  set(attributes: SpanAttributes): void
  /** Adds a piece of this work that is over. */
  child(name: string, times: SpanTimes, attributes?: SpanAttributes): void
  /** Ends it; `code` is one of Connect, or `ok`. */
  end(code: string): void
}

/** What a span begins with. */
export interface SpanStart {
  readonly name: string
  /** `server`: a request that came in. `client`: one that goes out. */
  readonly kind: 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** The header `traceparent` of a request; without it the current span is the parent, if there is one. */
  readonly traceparent?: string | undefined
}

/** Makes spans. */
export interface Tracer {
  /** Begins a span now. */
  start(start: SpanStart): Span
  /** Runs work whose spans are children of this one. */
  within<T>(span: Span, work: () => T): T
}

let active: Tracer | undefined

/** The tracer of this process; `undefined` when nobody collects traces, which is all that it costs then. */
export function activeTracer(): Tracer | undefined {
  return active
}

/** Sets the tracer of this process, before any work begins. */
export function installTracer(tracer: Tracer): void {
  active = tracer
}
