import { type ErrorReason, MillraceError, type Stats } from './api.ts'

/** Counts what is lost and passes errors to the application. */
export interface Report {
  /** Passes an error on. */
  error(
    reason: ErrorReason,
    message: string,
    details?: { readonly lost?: number; readonly cause?: unknown },
  ): void
  /** Counts what found no room; one error tells of all of a second. */
  overflow(): void
  /** Tells of what found no room since the last time. */
  settle(): void
  dropped(): Stats['dropped']
}

const OVERFLOW_MS = 1_000

/** Creates the report of a client. */
export function createReport(onError: (error: MillraceError) => void = warn): Report {
  const dropped = { invalid: 0, rejected: 0, queue_full: 0, unsent: 0 }
  let overflowCount = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const tell = (error: MillraceError): void => {
    try {
      onError(error)
    } catch {
      // An error of the application's own handler must not end a call of track, or the process.
    }
  }
  const report: Report = {
    error: (reason, message, { lost = 0, cause } = {}) => {
      if (reason in dropped) dropped[reason as keyof typeof dropped] += lost
      tell(new MillraceError(reason, message, lost, cause))
    },
    overflow: () => {
      overflowCount++
      timer ??= setTimeout(report.settle, OVERFLOW_MS).unref()
    },
    settle: () => {
      clearTimeout(timer)
      timer = undefined
      const lost = overflowCount
      overflowCount = 0
      if (lost > 0) report.error('queue_full', `the queue was full: ${lost} dropped`, { lost })
    },
    dropped: () => ({ ...dropped, queue_full: dropped.queue_full + overflowCount }),
  }
  return report
}

function warn(error: MillraceError): void {
  process.emitWarning(error.message, { type: 'MillraceWarning', code: error.reason })
}
