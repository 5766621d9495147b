import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createEffect, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { deleteLater } from './delete-later.ts'
import './library.css'
import './messages.ts'
import { savedInsightsClient, savedInsightsKey } from './saved-insights.ts'

/** A dashboard or an alert that follows a saved insight. */
interface Use {
  /** Below the address of the project. */
  readonly place: string
  readonly name: string
}

/** Deletes a saved insight with a message that can undo it, or names the dashboards and the alerts that follow it. */
export function DeleteInsight(props: {
  readonly insight: SavedInsight
  readonly onDeleted?: () => void
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const name = (): string => props.insight.content?.name ?? ''
  // The list of saved insights may be older than an alert on one of them.
  const stored = useQuery(() => ({
    queryKey: [...savedInsightsKey(workspace().project.id), 'uses', props.insight.id],
    queryFn: async () => (await savedInsightsClient.get({ id: props.insight.id })).insight?.usedBy ?? [],
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  }))
  const uses = (): readonly Use[] =>
    stored.isSuccess
      ? unwrap(stored.data).map(({ dashboardId, dashboardName, alertId, alertName }) =>
          alertId === ''
            ? { place: `dashboards/${dashboardId}`, name: dashboardName }
            : { place: `alerts/${alertId}`, name: alertName },
        )
      : []
  createEffect(() => {
    if (!stored.isSuccess || uses().length > 0) return
    const { insight, onClose, onDeleted } = props
    deleteLater(insight, workspace().project.id)
    onClose()
    onDeleted?.()
  })
  return (
    <Dialog
      title={t('library.deleteNamed', { name: name() })}
      isOpen={uses().length > 0 || stored.isError}
      onClose={() => props.onClose()}
      foot={<Button onClick={() => props.onClose()}>{t('common.close')}</Button>}
    >
      <Show when={uses().length > 0}>
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
      <Show when={stored.isError && stored.error}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Dialog>
  )
}
