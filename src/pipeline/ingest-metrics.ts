import { counter, observedCounter, observedGauge } from '../kernel/metrics.ts'
import type { Outcome, PackedOutcome, TaskResult } from './task.ts'

const accepted = counter(
  'millrace_events_accepted_total',
  'Events that were taken: durable, and acknowledged to who still waits.',
)
const dropped = counter('millrace_events_dropped_total', 'Cookieless events without an identity.', ['reason'])
const rejected = counter('millrace_batches_rejected_total', 'Batches that were refused.', ['reason'])
const violated = counter('millrace_typed_event_violations_total', 'Rules that typed events broke.', [
  'kind',
  'rule',
])
const clashed = counter(
  'millrace_event_id_clashes_total',
  'Stored events whose id came lately, as far as one worker remembers, with another kind, distinct id or time.',
)

/** Counts a batch that was refused, wherever that was. `reason` is one of `ErrorReason`. */
export function countRejection(reason: string): void {
  rejected.inc({ reason })
}

/** Counts what became of the requests of a task. */
export function countOutcomes(outcomes: readonly PackedOutcome[]): void {
  let eventCount = 0
  for (const outcome of outcomes) eventCount += typeof outcome === 'number' ? outcome : countUnusual(outcome)
  accepted.inc(eventCount)
}

/** Answers the events that were taken. */
function countUnusual(outcome: Outcome): number {
  if (!('accepted' in outcome)) {
    countRejection(outcome.reason)
    return 0
  }
  for (const [reason, count] of Object.entries(outcome.droppedByReason ?? {})) dropped.inc({ reason }, count)
  return outcome.accepted
}

/** Counts what is odd about the stored events of a task. */
export function countOddities({ violations, idClashes }: TaskResult): void {
  for (const { kind, rule, count } of violations) violated.inc({ kind, rule }, count)
  if (idClashes > 0) clashed.inc(idClashes)
}

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
