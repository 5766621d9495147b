import { useQuery } from '@tanstack/solid-query'
import { createMemo, createSignal, For, type JSX, Match, Show, Suspense, Switch } from 'solid-js'
import { stateBrokenLink } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.ts'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { hasEventsQuery } from '../first-run/has-events.ts'
import { FilterChips } from './filter-chips.tsx'
import { GoalsPanel } from './goals-panel.tsx'
import { explainLeftOut } from './imported.ts'
import { MetricStrip } from './metric-strip.tsx'
import './overview.css'
import { OverviewAge, OverviewBar } from './overview-bar.tsx'
import { OverviewChart } from './overview-chart.tsx'
import { createOverviewView, OverviewViewProvider, useOverview, useView } from './overview-view.ts'
import { PANELS } from './panels.ts'
import { TablePanel } from './table-panel.tsx'
import { isBroken } from './view-state.ts'

const FirstRun = lazy(async () => ({ default: (await import('../first-run/first-run.tsx')).FirstRun }))

/** The web overview of the project; before its first event, how to send one. */
export function OverviewPage(): JSX.Element {
  const workspace = useWorkspace()
  const first = useQuery(() => hasEventsQuery(workspace().project.id))
  const [isEnded, setEnded] = createSignal(false)
  // The first run stays until the reader ends it: it shows the first event itself.
  const isFirstRun = createMemo<boolean>(
    (before) => !isEnded() && (before || (first.isSuccess && !first.data)),
    false,
  )
  return (
    <Show
      when={!isFirstRun()}
      fallback={
        <Suspense>
          <FirstRun onDone={() => setEnded(true)} />
        </Suspense>
      }
    >
      <Overview />
    </Show>
  )
}

function Overview(): JSX.Element {
  stateBrokenLink(isBroken)
  const view = createOverviewView()
  return (
    <OverviewViewProvider value={view}>
      <div class="overview" data-page="full">
        <OverviewBar />
        <div class="overview-line">
          <FilterChips />
          <OverviewAge />
        </div>
        <Visits />
        <div class="overview-panels">
          <For each={PANELS}>{(panel) => <TablePanel panel={panel} />}</For>
        </div>
        <GoalsPanel />
      </div>
    </OverviewViewProvider>
  )
}

/** The strip and the chart, or why they are empty. */
function Visits(): JSX.Element {
  const view = useView()
  const overview = useOverview(view)
  const visitors = (): number | undefined => {
    const totals = overview.answer()?.totals
    return totals && Number(totals.visitors)
  }
  return (
    <section class="ui-card overview-visits loaded" aria-busy={overview.isOld() ? 'true' : undefined}>
      <Switch>
        <Match when={overview.failure()}>
          {(failure) => (
            <div class="overview-hint">
              <ErrorState title={t('overview.failed')} error={failure()} onRetry={overview.retry} />
            </div>
          )}
        </Match>
        <Match when={true}>
          <MetricStrip answer={overview.answer()} />
          <Show
            when={visitors() !== 0 || overview.answer()?.importedTotals}
            fallback={<NoVisits leftOut={explainLeftOut(overview.answer())} />}
          >
            <OverviewChart answer={overview.answer()} />
          </Show>
        </Match>
      </Switch>
      <p class="ui-hidden" role="status">
        {visitors() !== undefined && !overview.isOld()
          ? t('overview.updated', { count: visitors() ?? 0 })
          : ''}
      </p>
    </section>
  )
}

function NoVisits(props: { readonly leftOut: string | undefined }): JSX.Element {
  const view = useView()
  const isFiltered = (): boolean => view.state().filters.length + view.state().cohorts.length > 0
  return (
    <div class="overview-hint">
      <EmptyState
        title={t('overview.emptyTitle')}
        text={props.leftOut ?? t(isFiltered() ? 'overview.emptyFiltered' : 'overview.emptyPeriod')}
        actions={
          <Show
            when={isFiltered()}
            fallback={
              <Button
                onClick={() => view.change({ period: { last: 90, unit: 'days' }, interval: undefined })}
              >
                {t('overview.last90Days')}
              </Button>
            }
          >
            <Button onClick={() => view.change({ filters: [], cohorts: [] })}>
              {t('overview.clearFilters')}
            </Button>
          </Show>
        }
      />
    </div>
  )
}
