import type { ProjectId } from '../../../contract/ids.ts'

/** A value that JSON keeps as it is. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Work that is to be done once, whatever dies meanwhile. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly projectId: ProjectId | undefined
  /** What the handler needs to go on; it holds no personal data in the clear. */
  readonly payload: Json
  /** Attempts since the job went on last, this one included. */
  readonly attempts: number
}

/** How an attempt ended that did not fail: the job is over, or goes on later with another payload. */
export type JobOutcome =
  | { readonly next: 'done' }
  | { readonly next: 'again'; readonly payload: Json; readonly dueMs: number }

/** What an attempt works with. */
export interface JobContext {
  /** Aborted when the process stops or the job belongs to somebody else. */
  readonly signal: AbortSignal
  /** Keeps how far the work is, durably: an attempt after a crash starts with this payload. */
  readonly save: (payload: Json) => Promise<void>
}

/** How jobs of one kind are done. Everything may be done twice: a process may die after any step. */
export interface JobHandler {
  /** One attempt. What it throws is a failure, and is tried again later. */
  run(job: Job, context: JobContext): Promise<JobOutcome>
  /** Called when there is no further attempt; the job is failed when this resolves. */
  giveUp(job: Job, error: string): Promise<void>
}

/** Handlers by kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>
