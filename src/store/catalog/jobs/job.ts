import type { ProjectId } from '../../../contract/ids.ts'

/** A value that JSON keeps as it is. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Work to be done once, with at-least-once attempts across crashes. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly projectId: ProjectId | undefined
  /** The state that the handler needs to continue; it contains no personal data in the clear. */
  readonly payload: Json
  /** Attempts since the job last made progress, including this one. */
  readonly attempts: number
}

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
