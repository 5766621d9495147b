import { LIMITS } from '../kernel/limits.ts'
import { observedGauge } from '../kernel/metrics.ts'
import type { BodyBudget } from './body-budget.ts'
import type { RequestCount } from './exchange.ts'

/** Registers what shows how much an edge has taken in and not answered yet. */
export function observeIntake({
  budget,
  count,
}: {
  readonly budget: BodyBudget
  readonly count: RequestCount
}): void {
  observedGauge(
    'millrace_requests_running',
    'Requests that came in and are not answered yet.',
    () => count.running,
  )
  observedGauge('millrace_body_bytes', 'Bodies that are read or worked on.', () => budget.bytes)
  observedGauge(
    'millrace_body_max_bytes',
    'Bodies that may be read or worked on; beyond it requests are refused.',
    () => LIMITS.inFlightBodyBytesMax,
  )
}
