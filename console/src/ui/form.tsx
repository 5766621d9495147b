import { createSignal, type JSX, Show } from 'solid-js'
import { createAction } from './action.ts'
import { ErrorBox } from './async.tsx'

/** What is wrong with the field of the request that has a path. */
export type FindProblem = (path: string) => string | undefined

/** Fields, the button that sends them, and what came of it. Fields that the service refuses say why themselves. */
export function Form(props: {
  /** What the button says. */
  readonly submit: string
  readonly onSubmit: () => Promise<unknown>
  /** Fields below each other, or beside each other. */
  readonly look?: 'stack' | 'row'
  readonly tone?: 'primary' | 'plain' | 'danger'
  /** What is said once it worked. */
  readonly done?: string
  /** True while there is nothing to send. */
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
