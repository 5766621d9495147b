/** Runs work in the order of its calls; work whose signal is aborted before its turn is left out. */
export type Lane = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Creates a lane with a limit on what runs at once. */
export function createLane(runningMax: number): Lane {
  const waiting = new Set<() => void>()
  let running = 0
  const enter = async (signal: AbortSignal): Promise<void> => {
    if (running < runningMax) {
      running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        waiting.delete(start)
        reject(signal.reason as Error)
      }
      waiting.add(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  /** Finished work hands its slot to the next: a call in between must not take it. */
  const handOver = (): void => {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }
  return async (work, signal) => {
    signal.throwIfAborted()
    await enter(signal)
    try {
      return await work()
    } finally {
      handOver()
    }
  }
}
