import { type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { textOfField } from '../../rpc/failure-text.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'

/** Finds the problem of the field at a path of the request. */
export type FindProblem = (path: string) => string | undefined

interface FormProps {
  /** The verb on the button. */
  readonly submit: string
  readonly onSubmit: () => Promise<unknown>
  /** The message after success; empty for none. */
  readonly done?: string
  readonly isBlocked?: boolean
  readonly tone?: 'primary' | 'plain'
  readonly children: (problem: FindProblem) => JSX.Element
}

/** Runs a form: one submission at a time, and each problem at its field. */
function createForm(props: FormProps) {
  const action = createAction()
  const asked = new Set<string>()
  const problem: FindProblem = (path) => {
    asked.add(path)
    const failure = action.failure()
    return failure && textOfField(failure, path)
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (props.isBlocked) return
    action.run(async () => {
      await props.onSubmit()
      const done = props.done ?? t('settings.saved')
      if (done !== '') showToast({ text: done })
    })
  }
  /** A failure that no field shows. */
  const failure = () => {
    const failed = action.failure()
    const fields = [...(failed?.violations.keys() ?? [])]
    return fields.length > 0 && fields.every((path) => asked.has(path)) ? undefined : failed
  }
  return { isRunning: action.isRunning, problem, submit, failure }
}

/** A card with the fields of one subject and the button that saves them. */
export function FormCard(props: FormProps & { readonly title: string; readonly text?: string }): JSX.Element {
  const form = createForm(props)
  return (
    <form onSubmit={form.submit}>
      <Card
        title={props.title}
        foot={
          <Button
            type="submit"
            tone={props.tone ?? 'primary'}
            class="settings-save"
            isLoading={form.isRunning()}
            isDisabled={props.isBlocked}
          >
            {props.submit}
          </Button>
        }
      >
        <div class="settings-fields">
          <Show when={props.text}>{(text) => <p class="settings-text">{text()}</p>}</Show>
          {props.children(form.problem)}
          <Show when={form.failure()}>
            {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
          </Show>
        </div>
      </Card>
    </form>
  )
}

/** A form inside a card: its fields in a line, with the button at the end. */
export function FormLine(props: FormProps): JSX.Element {
  const form = createForm(props)
  return (
    <form class="settings-line" onSubmit={form.submit}>
      <div class="settings-line-fields">
        {props.children(form.problem)}
        <Button type="submit" tone={props.tone} isLoading={form.isRunning()} isDisabled={props.isBlocked}>
          {props.submit}
        </Button>
      </div>
      <Show when={form.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </form>
  )
}

/** The fields of a form in a drawer, and the button that submits them. */
export function FormStack(props: FormProps): JSX.Element {
  const form = createForm(props)
  return (
    <form class="settings-fields" onSubmit={form.submit}>
      {props.children(form.problem)}
      <Show when={form.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Button
        type="submit"
        tone={props.tone ?? 'primary'}
        class="settings-save"
        isLoading={form.isRunning()}
        isDisabled={props.isBlocked}
      >
        {props.submit}
      </Button>
    </form>
  )
}
