import type { Logger } from '../../kernel/log.ts'
import { installTracer } from '../../kernel/tracing.ts'

/** Environment variables as `process.env` gives them. */
type Environment = Readonly<Record<string, string | undefined>>

/** The tracing of a process. */
export interface Tracing {
  /** Sends the remaining spans, within a second. */
  stop(): Promise<void>
}

const OFF: Tracing = { stop: async () => undefined }

/** Whether the variables of OpenTelemetry enable an exporter. */
export function isTracingOn(environment: Environment): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  if (environment.OTEL_TRACES_EXPORTER === 'none') return false
  return Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}

/** Starts tracing this process if the environment enables it; otherwise the packages are not loaded. */
export async function startTracing(environment: Environment, role: string, log: Logger): Promise<Tracing> {
  if (!isTracingOn(environment)) return OFF
  const { openTelemetry } = await import('./open-telemetry.ts')
  const { tracer, stop } = openTelemetry(environment, role, log)
  installTracer(tracer)
  return { stop }
}
