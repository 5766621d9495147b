import type { SpanContext } from '@opentelemetry/api'

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses the header of W3C Trace Context; `undefined` when it is invalid. */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags, rest] = TRACEPARENT.exec(text.trim()) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  // Only future versions may have more fields.
  if (rest !== undefined && text.startsWith('00')) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
