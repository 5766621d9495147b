import { createUniqueId, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createAction } from './action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorState } from './states.tsx'

/** A dialog with fields and one action, on its button and on Enter. It shows the error when the action fails. */
export function ActionDialog(props: {
  readonly title: string
  /** The verb on the button, for example `Create`. */
  readonly verb: string
  /** Whether the fields are not yet complete. */
  readonly isBlocked: boolean
  readonly onClose: () => void
  readonly onAct: () => Promise<void>
  readonly children: JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  const action = createAction()
  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={() => props.onClose()}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            type="submit"
            form={id}
            isDisabled={props.isBlocked}
            isLoading={action.isRunning()}
          >
            {props.verb}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class="ui-dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!props.isBlocked) action.run(props.onAct)
        }}
      >
        {props.children}
      </form>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Dialog>
  )
}
