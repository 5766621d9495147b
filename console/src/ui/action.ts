import { type Accessor, createSignal } from 'solid-js'
import { Failure } from '../rpc/failure.ts'

/** Something that a person starts and waits for. */
export interface Action {
  readonly isRunning: Accessor<boolean>
  readonly failure: Accessor<Failure | undefined>
  /** Runs it; while it runs, another start does nothing. */
  readonly run: (work: () => Promise<void>) => void
}

/** Creates what runs one thing at a time and keeps how it failed. */
export function createAction(): Action {
  const [isRunning, setRunning] = createSignal(false)
  const [failure, setFailure] = createSignal<Failure>()
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setRunning(true)
    setFailure(undefined)
    try {
      await work()
    } catch (thrown) {
      setFailure(Failure.from(thrown))
    } finally {
      setRunning(false)
    }
  }
  return {
    isRunning,
    failure,
    run: (work) => {
      if (!isRunning()) void attempt(work)
    },
  }
}
