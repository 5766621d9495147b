import type { Options } from './api.ts'

/** What is to be sent before the process ends. */
export interface Remainder {
  size(): number
  /** Resolves with `false` when the time was up. */
  flush(): Promise<boolean>
  onUnsent(lost: number): void
}

/** Sends what waits at these moments of the process. Returns a function that ends that. */
export function flushAtEnd(moments: NonNullable<Options['flushOn']>, remainder: Remainder): () => void {
  // The event comes again after each attempt: a service that is away must not keep the process for ever.
  let isTried = false
  const onBeforeExit = async (): Promise<void> => {
    if (remainder.size() === 0) return
    if (!isTried) {
      isTried = !(await remainder.flush())
      if (isTried) remainder.onUnsent(remainder.size())
    }
  }
  const onSigterm = async (): Promise<void> => {
    const isSent = await remainder.flush()
    if (!isSent) remainder.onUnsent(remainder.size())
    process.removeListener('SIGTERM', onSigterm)
    // Whoever else listens decides when the process ends; alone, the signal does what it does without a listener.
    if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM')
  }
  if (moments.includes('beforeExit')) process.on('beforeExit', onBeforeExit)
  if (moments.includes('SIGTERM')) process.on('SIGTERM', onSigterm)
  return () => {
    process.removeListener('beforeExit', onBeforeExit)
    process.removeListener('SIGTERM', onSigterm)
  }
}
