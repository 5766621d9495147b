import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { createEffect, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import type { Now } from '../insights/period.ts'
import { ErrorState, SkeletonChart } from '../ui/states.tsx'
import './messages.ts'
import { addressOf } from './saved-address.ts'
import { useSavedInsight } from './saved-insights.ts'

/** Puts the whole query of a saved insight into the address, in place of the current one. */
export function openSaved(insight: SavedInsight, { projectId, now }: { projectId: string; now: Now }): void {
  if (!insight.content) return
  const parameters = new URLSearchParams({ ...addressOf(insight.content, now), saved: insight.id })
  navigate(`/p/${projectId}/insights?${parameters}`, 'replace')
}

/** Reads the saved insight that an address names, and opens it. */
export function OpenSavedInsight(props: { readonly id: string }): JSX.Element {
  const workspace = useWorkspace()
  const saved = useSavedInsight(() => props.id)
  createEffect(() => {
    const insight = saved.insight()
    const { project, timeZone } = workspace()
    if (insight) openSaved(insight, { projectId: project.id, now: { nowMs: Date.now(), timeZone } })
  })
  return (
    <Show when={saved.failure()} fallback={<SkeletonChart />}>
      {(failure) => <ErrorState title={t('library.failed')} error={failure()} />}
    </Show>
  )
}
