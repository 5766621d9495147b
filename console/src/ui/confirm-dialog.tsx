import { createSignal, type JSX, Show } from 'solid-js'
import { Drawer } from './drawer.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'

/** Asks before something that nothing brings back; where `typed` is given, that text has to be typed first. */
export function ConfirmDialog(props: {
  readonly title: string
  /** What the button says. */
  readonly submit: string
  readonly typed?: { readonly label: string; readonly text: string }
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  /** What will happen. */
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
