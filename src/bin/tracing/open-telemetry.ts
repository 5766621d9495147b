import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type Tracer as SdkTracer,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { epochMs, monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Span, SpanAttributes, SpanStart, SpanTimes, Tracer } from '../../kernel/tracing.ts'
import { createResource } from './resource.ts'
import { createSampler } from './sampler.ts'

/** Interval at which spans are sent, in milliseconds. */
const DELAY_MS = 5000

/** Maximum queued spans; beyond that, new spans are dropped. */
const QUEUE_SPANS_MAX = 8192

/** Timeout for sending the last spans at a stop, in milliseconds. */
const STOP_MS = 1000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

/** Codes that count as errors of a server span; for a client span, every code but `ok` is an error. */
const SERVER_FAULTS: ReadonlySet<string> = new Set([
  'internal',
  'unavailable',
  'deadline_exceeded',
  'unimplemented',
])

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses the header of W3C Trace Context; `undefined` when it is invalid. */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags, rest] = TRACEPARENT.exec(text.trim()) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  // Only future versions may have more fields.
  if (rest !== undefined && text.startsWith('00')) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** A tracer that sends spans by OTLP over HTTP; the exporter reads its own `OTEL_EXPORTER_OTLP_*` variables. */
export function openTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  role: string,
  log: Logger,
): { readonly tracer: Tracer; readonly stop: () => Promise<void> } {
  const warn = (message: string): void =>
    log.warn({ cause: message }, 'problem with exporting or sampling traces')
  const quiet = (): void => undefined
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN },
  )
  const delayMs = Number(environment.OTEL_BSP_SCHEDULE_DELAY) || DELAY_MS
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: delayMs,
    maxQueueSize: QUEUE_SPANS_MAX,
  })
  const provider = new TracerProvider({
    sampler: createSampler(environment, warn),
    resource: createResource(environment, role),
    spanProcessors: [processor],
  })
  return {
    tracer: new OpenTelemetryTracer(provider.getTracer('millrace')),
    stop: async () => await stopWithin(STOP_MS, provider),
  }
}

async function stopWithin(timeoutMs: number, provider: TracerProvider): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.resolve(), timeoutMs)
  // The exporter has already reported its errors.
  await Promise.race([provider.shutdown().catch(() => undefined), late.promise])
  clearTimeout(timer)
}

class OpenTelemetryTracer implements Tracer {
  readonly #tracer: SdkTracer
  readonly #current = new AsyncLocalStorage<Context>()

  constructor(tracer: SdkTracer) {
    this.#tracer = tracer
  }

  start({ name, kind, attributes = {}, traceparent }: SpanStart): Span {
    const remote = traceparent === undefined ? undefined : parseTraceparent(traceparent)
    const parent = remote
      ? trace.setSpanContext(ROOT_CONTEXT, remote)
      : (this.#current.getStore() ?? ROOT_CONTEXT)
    const startTime = epochMs(monotonicMs())
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime }, parent)
    return new OpenTelemetrySpan(this.#tracer, span, kind)
  }

  within<T>(span: Span, work: () => T): T {
    return span instanceof OpenTelemetrySpan ? this.#current.run(span.context, work) : work()
  }
}

class OpenTelemetrySpan implements Span {
  readonly context: Context
  readonly #tracer: SdkTracer
  readonly #span: SdkSpan
  readonly #kind: SpanStart['kind']

  constructor(tracer: SdkTracer, span: SdkSpan, kind: SpanStart['kind']) {
    this.context = trace.setSpan(ROOT_CONTEXT, span)
    this.#tracer = tracer
    this.#span = span
    this.#kind = kind
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes)
  }

  child(name: string, { startedMs, endedMs }: SpanTimes, attributes: SpanAttributes = {}): void {
    const startTime = epochMs(startedMs)
    this.#tracer.startSpan(name, { attributes, startTime }, this.context).end(epochMs(endedMs))
  }

  end(code: string): void {
    const isError = this.#kind === 'server' ? SERVER_FAULTS.has(code) : code !== 'ok'
    if (isError) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: code })
    this.#span.end(epochMs(monotonicMs()))
  }
}
