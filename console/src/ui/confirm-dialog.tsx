import { createSignal, type JSX, Show } from 'solid-js'
import { Drawer } from './drawer.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'

/** Confirms an action that cannot be undone; with `typed`, that text must be typed first. */
export function ConfirmDialog(props: {
  readonly title: string
  /** The label of the button. */
  readonly submit: string
  readonly typed?: { readonly label: string; readonly text: string }
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  /** The consequences. */
  readonly children: JSX.Element
}): JSX.Element {
  const [typed, setTyped] = createSignal('')
  const confirm = async (): Promise<void> => {
    await props.onConfirm()
    props.onClose()
  }
  return (
    <Drawer title={props.title} look="dialog" onClose={props.onClose}>
      <Form
        submit={props.submit}
        tone="danger"
        isBlocked={props.typed !== undefined && typed() !== props.typed.text}
        onSubmit={confirm}
      >
        {() => (
          <>
            <div>{props.children}</div>
            <Show when={props.typed}>
              {(asked) => <TextField label={asked().label} value={typed()} onInput={setTyped} />}
            </Show>
          </>
        )}
      </Form>
    </Drawer>
  )
}
