import type { Logger } from '../../kernel/log.ts'
import { installTracer } from '../../kernel/tracing.ts'

/** Environment variables as `process.env` gives them. */
type Environment = Readonly<Record<string, string | undefined>>

/** What a role needs of its tracing. */
export interface Tracing {
  /** Sends what is left, for a second at most. */
  stop(): Promise<void>
}

const OFF: Tracing = { stop: async () => undefined }

/** Whether the variables of OpenTelemetry say where traces go. */
export function isTracingOn(environment: Environment): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  if (environment.OTEL_TRACES_EXPORTER === 'none') return false
  return Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}

/** Begins to trace this process when the environment says so; the packages are not even loaded when it does not. */
export async function startTracing(environment: Environment, role: string, log: Logger): Promise<Tracing> {
  if (!isTracingOn(environment)) return OFF
  const { openTelemetry } = await import('./open-telemetry.ts')
  const { tracer, stop } = openTelemetry(environment, role, log)
  installTracer(tracer)
  return { stop }
}
