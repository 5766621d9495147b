import type { Job, Json } from '../store/catalog/job-store.ts'

/** The outcome of a successful attempt: the job is done, or continues later with another payload. */
export type JobOutcome =
  | { readonly next: 'done' }
  | { readonly next: 'again'; readonly payload: Json; readonly dueMs: number }

/** The context of an attempt. */
export interface JobContext {
  /** Aborted when the process stops or the claim is lost. */
  readonly signal: AbortSignal
  /** Saves progress durably: an attempt after a crash starts with this payload. */
  readonly save: (payload: Json) => Promise<void>
}

/** Runs jobs of one kind. Every step must be idempotent: a process may die after any of them. */
export interface JobHandler {
  /** One attempt. An error counts as a failure and is retried later. */
  run(job: Job, context: JobContext): Promise<JobOutcome>
  /** Called when no attempts remain; the job is marked failed when this resolves. */
  giveUp(job: Job, error: string): Promise<void>
}

/** Handlers by kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>
