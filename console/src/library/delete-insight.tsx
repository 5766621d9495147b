import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import './library.css'
import './messages.ts'
import { refreshSaved, savedInsightsClient, savedInsightsKey } from './saved-insights.ts'

/** A dashboard or an alert that follows a saved insight. */
interface Use {
  /** Below the address of the project. */
  readonly place: string
  readonly name: string
}

/** Deletes a saved insight after a question, or names the dashboards and the alerts that follow it. */
export function DeleteInsight(props: {
  readonly insight: SavedInsight
  readonly onDeleted?: () => void
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const name = (): string => props.insight.content?.name ?? ''
  // The list of saved insights may be older than an alert on one of them.
  const stored = useQuery(() => ({
    queryKey: [...savedInsightsKey(workspace().project.id), 'uses', props.insight.id],
    queryFn: async () => (await savedInsightsClient.get({ id: props.insight.id })).insight?.usedBy ?? [],
    staleTime: 0,
    structuralSharing: false,
  }))
  const uses = (): readonly Use[] =>
    (stored.isSuccess ? unwrap(stored.data) : props.insight.usedBy).map(
      ({ dashboardId, dashboardName, alertId, alertName }) =>
        alertId === ''
          ? { place: `dashboards/${dashboardId}`, name: dashboardName }
          : { place: `alerts/${alertId}`, name: alertName },
    )
  const isUsed = (): boolean => uses().length > 0
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
            isDisabled={isUsed() || stored.isPending}
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
          <For each={uses()}>
            {({ place, name: label }) => (
              <li>
                <a href={`/p/${workspace().project.id}/${place}`}>{label}</a>
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
