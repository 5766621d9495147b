import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import ChartLine from 'lucide-solid/icons/chart-line'
import { createEffect, type JSX, Match, Switch } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import type { Now } from '../insights/period.ts'
import { isNotFound } from '../rpc/failure.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonChart } from '../ui/states.tsx'
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
    <Switch fallback={<SkeletonChart />}>
      <Match when={isNotFound(saved.failure())}>
        <EmptyState
          icon={<ChartLine />}
          title={t('library.notFound')}
          text={t('shell.notFoundText')}
          actions={
            <ButtonLink href={`/p/${workspace().project.id}/insights`}>{t('library.allInsights')}</ButtonLink>
          }
        />
      </Match>
      <Match when={saved.failure()}>
        {(failure) => <ErrorState title={t('library.failed')} error={failure()} />}
      </Match>
    </Switch>
  )
}
