import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { useQueryClient } from '@tanstack/solid-query'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { Input } from '../ui/input.tsx'
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
  const [name, setName] = createSignal('')
  const save = async (): Promise<void> => {
    const { store, onClose } = props
    const cohort = await store(name().trim())
    void queries.invalidateQueries({ queryKey: cohortsKey(workspace().project.id) })
    showToast({ text: t('cohorts.created', { name: cohort?.name ?? name() }), tone: 'good' })
    onClose()
  }
  return (
    <ActionDialog
      title={t('cohorts.saveAs')}
      verb={t('common.create')}
      isBlocked={name().trim() === ''}
      onClose={() => props.onClose()}
      onAct={save}
    >
      <Show when={props.text}>{(text) => <p>{text()}</p>}</Show>
      <Input label={t('common.name')} value={name()} maxLength={NAME_MAX} onInput={setName} />
    </ActionDialog>
  )
}
