import { type Accessor, createSignal } from 'solid-js'
import { Failure } from '../rpc/failure.ts'

/** An operation that a button starts. */
export interface Action {
  readonly isRunning: Accessor<boolean>
  readonly failure: Accessor<Failure | undefined>
  /** Runs an operation; ignored while one is running. */
  readonly run: (work: () => Promise<void>) => void
}

/** Creates an action that runs one operation at a time and holds its failure. */
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
