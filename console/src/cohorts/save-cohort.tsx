import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { useQueryClient } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Input } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { cohortsKey } from './cohort-list.ts'
import './messages.ts'

/** Most characters of a name. */
const NAME_MAX = 255

/** Names a new cohort and stores it. */
export function SaveCohortDialog(props: {
  readonly text?: string
  readonly store: (name: string) => Promise<Cohort | undefined>
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const action = createAction()
  const [name, setName] = createSignal('')
  const save = (): void =>
    action.run(async () => {
      const { store, onClose } = props
      const cohort = await store(name().trim())
      void queries.invalidateQueries({ queryKey: cohortsKey(workspace().project.id) })
      showToast({ text: t('cohorts.created', { name: cohort?.name ?? name() }), tone: 'good' })
      onClose()
    })
  return (
    <Dialog
      title={t('cohorts.saveAs')}
      isOpen={true}
      onClose={() => props.onClose()}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            isDisabled={name().trim() === ''}
            isLoading={action.isRunning()}
            onClick={save}
          >
            {t('common.create')}
          </Button>
        </>
      }
    >
      <Show when={props.text}>{(text) => <p>{text()}</p>}</Show>
      <Input label={t('common.name')} value={name()} maxLength={NAME_MAX} onInput={setName} />
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Dialog>
  )
}
