import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import './library.css'
import './messages.ts'
import { refreshSaved, savedInsightsClient } from './saved-insights.ts'

/** Deletes a saved insight after a question, or names the dashboards that show it. */
export function DeleteInsight(props: {
  readonly insight: SavedInsight
  readonly onDeleted?: () => void
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const name = (): string => props.insight.content?.name ?? ''
  const isUsed = (): boolean => props.insight.usedBy.length > 0
  const remove = async (): Promise<void> => {
    const { insight, onClose, onDeleted } = props
    const text = t('library.deleted', { name: name() })
    await savedInsightsClient.delete({ id: insight.id })
    onClose()
    onDeleted?.()
    void refreshSaved(workspace().project.id)
    showToast({ text })
  }
  return (
    <Dialog
      title={t('library.deleteNamed', { name: name() })}
      isOpen
      onClose={() => props.onClose()}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            tone="destructive"
            isDisabled={isUsed()}
            isLoading={action.isRunning()}
            onClick={() => action.run(remove)}
          >
            {t('common.delete')}
          </Button>
        </>
      }
    >
      <Show when={isUsed()} fallback={<p>{t('library.deleteText')}</p>}>
        <p>{t('library.inUse')}</p>
        <ul class="library-uses">
          <For each={props.insight.usedBy}>
            {({ dashboardId, dashboardName }) => (
              <li>
                <a href={`/p/${workspace().project.id}/dashboards/${dashboardId}`}>{dashboardName}</a>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Dialog>
  )
}
