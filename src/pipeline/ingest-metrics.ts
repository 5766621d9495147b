import { counter, observedCounter, observedGauge } from '../kernel/metrics.ts'
import { countIdentified } from './identify/identify-queue.ts'
import type { Outcome, PackedOutcome, TaskResult } from './task.ts'

const accepted = counter(
  'millrace_events_accepted_total',
  'Events accepted: durable, and acknowledged unless the client has left.',
)
const dropped = counter(
  'millrace_events_dropped_total',
  "Events dropped: of a blocked kind, cookieless without an identity, or unusable events of other vendors' SDKs.",
  ['reason'],
)
const changed = counter(
  'millrace_events_changed_total',
  "Accepted events of other vendors' SDKs that were changed, by kind of change.",
  ['reason'],
)
const rejected = counter('millrace_batches_rejected_total', 'Batches rejected.', ['reason'])
const violated = counter('millrace_typed_event_violations_total', 'Schema violations of typed events.', [
  'kind',
  'rule',
])
const clashed = counter(
  'millrace_event_id_clashes_total',
  'Stored events that reuse a recent event id with another kind, distinct id or time; each worker compares its own recent events only.',
)

/** Counts a rejected batch, wherever it was rejected. `reason` is one of `ErrorReason`. */
export function countRejection(reason: string): void {
  rejected.inc({ reason })
}

/** Counts the outcomes of a task. */
export function countOutcomes(outcomes: readonly PackedOutcome[]): void {
  let eventCount = 0
  for (const outcome of outcomes) eventCount += typeof outcome === 'number' ? outcome : countOutcome(outcome)
  accepted.inc(eventCount)
}

/** Returns the number of accepted events. */
function countOutcome(outcome: Outcome): number {
  if (!('accepted' in outcome)) {
    countRejection(outcome.reason)
    return 0
  }
  for (const [reason, count] of Object.entries(outcome.droppedByReason ?? {})) dropped.inc({ reason }, count)
  for (const [reason, count] of Object.entries(outcome.changedByReason ?? {})) changed.inc({ reason }, count)
  return outcome.accepted
}

/** Counts schema violations and id clashes among the stored events of a task. */
export function countAnomalies({ violations, idClashes, identifyCount }: TaskResult): void {
  countIdentified(identifyCount)
  for (const { kind, rule, count } of violations) violated.inc({ kind, rule }, count)
  if (idClashes > 0) clashed.inc(idClashes)
}

/** The pool's values that metrics show. */
export interface ObservedPool {
  readonly waitingCount: number
  readonly tasks: { readonly running: number; readonly max: number }
  readonly activeSeconds: number
}

/** Registers the metrics of the one pool of this process. */
export function observePool(pool: ObservedPool): void {
  observedGauge('millrace_pool_waiting_requests', 'Requests waiting for a worker.', () => pool.waitingCount)
  observedGauge('millrace_pool_running_tasks', 'Tasks running in worker threads.', () => pool.tasks.running)
  observedGauge('millrace_pool_max_tasks', 'Maximum of concurrent tasks.', () => pool.tasks.max)
  observedCounter(
    'millrace_pool_active_seconds_total',
    'Busy seconds of the worker threads; divide the rate by millrace_pool_max_tasks for their utilisation.',
    () => pool.activeSeconds,
  )
}
