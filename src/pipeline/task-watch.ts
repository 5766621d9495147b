import { monotonicMs } from '../kernel/clock.ts'
import type { Span } from '../kernel/tracing.ts'

/** The parts of a task that travels for many requests, for the trace of each; only made when somebody traces. */
export class TaskWatch {
  readonly #startedMs = monotonicMs()
  #ranMs = this.#startedMs

  /** The worker has answered. */
  ran(): void {
    this.#ranMs = monotonicMs()
  }

  /** The rows are durable, or there were none: tells the requests what their time went to. */
  kept(requests: readonly { readonly span?: Span | undefined }[]): void {
    const endedMs = monotonicMs()
    const attributes = { 'millrace.task.requests': requests.length }
    for (const { span } of requests) {
      span?.child('pool task', { startedMs: this.#startedMs, endedMs: this.#ranMs }, attributes)
      span?.child('journal commit', { startedMs: this.#ranMs, endedMs })
    }
  }
}
