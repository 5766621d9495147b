import { createEffect, onCleanup } from 'solid-js'
import { Failure } from '../rpc/failure.ts'

/** A service that starts is there a few seconds later. */
const RETRY_MS = 3000

/** Tries again by itself what failed because the service starts, or because a network keeps it away. */
export function retryLater(failure: () => unknown, retry: () => void): void {
  createEffect(() => {
    const failed = failure()
    if (failed === undefined || Failure.from(failed).isFinal) return
    const timer = setTimeout(retry, RETRY_MS)
    onCleanup(() => clearTimeout(timer))
  })
}
