import { createSignal, type JSX, Show } from 'solid-js'
import { createAction } from './action.ts'
import { ErrorBox } from './async.tsx'

/** Finds the problem of the field at a path of the request. */
export type FindProblem = (path: string) => string | undefined

/** Fields with a submit button and its outcome. Rejected fields show their problems. */
export function Form(props: {
  /** The label of the button. */
  readonly submit: string
  readonly onSubmit: () => Promise<unknown>
  /** The layout of the fields. */
  readonly look?: 'stack' | 'row'
  readonly tone?: 'primary' | 'plain' | 'danger'
  /** The message after success. */
  readonly done?: string
  /** Whether the button is disabled. */
  readonly isBlocked?: boolean
  readonly children: (problem: FindProblem) => JSX.Element
}): JSX.Element {
  const action = createAction()
  const [isDone, setDone] = createSignal(false)
  const submit = async (): Promise<void> => {
    setDone(false)
    await props.onSubmit()
    setDone(true)
  }
  const isRow = (): boolean => props.look === 'row'
  return (
    <>
      <form
        class={isRow() ? 'row end form-row' : 'stack narrow'}
        onInput={() => setDone(false)}
        onSubmit={(event) => {
          event.preventDefault()
          action.run(submit)
        }}
      >
        {props.children((path) => action.failure()?.violations.get(path))}
        <Show when={!isRow() && action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
        <div class="row">
          <button
            type="submit"
            class={`button ${props.tone ?? 'primary'}`}
            disabled={action.isRunning() || props.isBlocked === true}
          >
            {props.submit}
          </button>
          <span role="status">{isDone() ? props.done : ''}</span>
        </div>
      </form>
      <Show when={isRow() && action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </>
  )
}
