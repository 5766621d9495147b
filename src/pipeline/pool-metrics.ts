import { observedCounter, observedGauge } from '../kernel/metrics.ts'

/** What the metrics of a pool show. */
export interface ObservedPool {
  readonly waitingCount: number
  readonly tasks: { readonly running: number; readonly max: number }
  readonly activeSeconds: number
}

/** Registers the metrics of the one pool of this process. */
export function observePool(pool: ObservedPool): void {
  observedGauge('millrace_pool_waiting_requests', 'Requests that wait for a worker.', () => pool.waitingCount)
  observedGauge('millrace_pool_running_tasks', 'Tasks that workers are at.', () => pool.tasks.running)
  observedGauge('millrace_pool_max_tasks', 'Tasks that workers may be at.', () => pool.tasks.max)
  observedCounter(
    'millrace_pool_active_seconds_total',
    'Seconds in which threads of workers were not idle; divide by millrace_pool_max_tasks for their utilisation.',
    () => pool.activeSeconds,
  )
}
