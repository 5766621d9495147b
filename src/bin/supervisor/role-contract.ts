import type { Logger } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'

/** A role that runs in this process. */
export interface RunningRole {
  /** Gives up the memory that is kept for reuse, after work. */
  releaseMemory?(): Promise<void>
  /** Finishes the work in flight; resolves when the process may exit. */
  stop(): Promise<void>
}

/** Starts a role in this process; resolves when it serves. */
export type StartRole = (settings: Settings, log: Logger) => Promise<RunningRole>

/** A message from a role's process to the supervisor. */
export type FromRole =
  | { readonly type: 'ready' }
  | { readonly type: 'prepared' }
  /** ClickHouse does not respond, so that the stores are not prepared. */
  | { readonly type: 'unreachable'; readonly message: string }
  /** The start fails until the operator changes something. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: readonly object[] }
  /** The answer to a beat. */
  | { readonly type: 'alive' }

/**
 * A message from the supervisor to a role's process, which only loads its modules until it is to serve, and prepares the stores
 * before if it is told to: the catalog at once, the rest when the store has started. A closed channel means: stop.
 */
export type ToRole =
  | { readonly type: 'prepare' | 'store-started' | 'serve' | 'beat' | 'stop' }
  | { readonly type: 'metrics'; readonly id: number }
