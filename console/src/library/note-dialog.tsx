import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { parseWallClock, readWallClock } from '@domain/calendar.ts'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { queryClient } from '../rpc/query-client.ts'
import { createAction } from '../ui/action.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/combobox.tsx'
import { Input, TextArea } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { annotationsClient, annotationsKey } from './annotations.ts'
import './messages.ts'
import type { EditedNote } from './notes-layer.tsx'

/** Most characters of an annotation. */
const TEXT_MAX = 400

/** Writes a new annotation, or changes or deletes one. Its time is in the zone of the project. */
export function NoteDialog(props: {
  readonly edited: EditedNote
  readonly dashboardId: string
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const { edited, dashboardId } = props
  const note = 'note' in edited ? edited.note : undefined
  const [text, setText] = createSignal(note?.title ?? '')
  const [time, setTime] = createSignal(
    readWallClock('note' in edited ? edited.note.timeMs : edited.timeMs, workspace().timeZone),
  )
  const [scope, setScope] = createSignal<'project' | 'dashboard'>(note?.dashboardId ? 'dashboard' : 'project')
  const removal = createAction()
  const timeMs = (): number | undefined => parseWallClock(time(), workspace().timeZone)
  const isTooLong = (): boolean => [...text()].length > TEXT_MAX
  const refresh = async (): Promise<void> =>
    await queryClient.invalidateQueries({ queryKey: annotationsKey(workspace().project.id) })
  const save = async (): Promise<void> => {
    const at = timeMs()
    if (at === undefined) return
    // The seconds of an annotation that a program wrote stay, unless its minute changes.
    const isSameMinute = note && readWallClock(note.timeMs, workspace().timeZone) === time()
    const fields = {
      text: text().trim(),
      time: timestampFromMs(isSameMinute ? note.timeMs : at),
      dashboardId: scope() === 'dashboard' ? note?.dashboardId || dashboardId : '',
    }
    if (note) await annotationsClient.update({ id: note.id, ...fields })
    else await annotationsClient.create(fields)
    props.onClose()
    await refresh()
  }
  const remove = async (): Promise<void> => {
    if (!note) return
    await annotationsClient.delete({ id: note.id })
    props.onClose()
    showToast({ text: t('library.annotationDeleted') })
    await refresh()
  }
  return (
    <ActionDialog
      title={t(note ? 'library.editAnnotation' : 'library.addAnnotation')}
      verb={t('common.save')}
      isBlocked={text().trim() === '' || isTooLong() || timeMs() === undefined}
      onClose={() => props.onClose()}
      onAct={save}
    >
      <TextArea label={t('library.annotationText')} rows={2} value={text()} onInput={setText} />
      <Show when={isTooLong()}>
        <p class="ui-field-problem">{t('library.descriptionTooLong', { count: TEXT_MAX })}</p>
      </Show>
      <Input
        type="datetime-local"
        label={t('library.annotationTime')}
        hint={workspace().timeZone}
        value={time()}
        onInput={setTime}
      />
      <Show when={dashboardId !== '' || note?.dashboardId}>
        <Select
          label={t('library.annotationScope')}
          value={scope()}
          options={[
            { value: 'project', label: t('library.annotationEverywhere') },
            { value: 'dashboard', label: t('library.annotationHere') },
          ]}
          onChange={setScope}
        />
      </Show>
      <Show when={note}>
        <div>
          <Button tone="danger" isLoading={removal.isRunning()} onClick={() => removal.run(remove)}>
            {t('common.delete')}
          </Button>
        </div>
      </Show>
      <Show when={removal.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </ActionDialog>
  )
}
