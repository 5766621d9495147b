import { createSignal, type JSX, Match, onCleanup, Show, Suspense, Switch } from 'solid-js'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonChart } from '../../ui/states.tsx'
import { Answer } from '../answer.tsx'
import { chartOptionsOf } from '../chart-options.ts'
import type { InsightEditor } from '../insight-editor.ts'
import { type Emptiness, explainEmptiness } from '../model/emptiness.ts'
import type { Answered } from '../run-query.ts'
import { INSIGHT_TYPES, isNothing } from '../types/insight-types.ts'
import { saveCsv, savePng } from './export-answer.ts'
import { Nothing } from './nothing.tsx'
import './result.css'
import { ResultBar } from './result-bar.tsx'
import { ResultFoot } from './result-foot.tsx'
import { ResultHead } from './result-head.tsx'

const HEIGHT_PX = 320
const PHONE_HEIGHT_PX = 168
const phones = matchMedia('(max-width: 767px)')

/** A query can be stopped after this time. */
const SLOW_MS = 5000

/** The answer of an insight with everything around it, or why there is none. */
export function Result(props: { readonly editor: InsightEditor; readonly catalog: Catalog }): JSX.Element {
  const { editor } = props
  const { answer } = editor
  const comparesCohorts = (): boolean => {
    const draft = editor.draft()
    return 'breakdown' in draft && (draft.breakdown.cohortIds ?? []).length > 0
  }
  // Labels of series show their names, also on phones, where the panel of the query is closed.
  createCohortList(comparesCohorts)
  return (
    <section class="result" aria-label={t('insights.answer')}>
      <ResultBar editor={editor} />
      <div class="result-main" aria-busy={answer.isRunning() ? 'true' : 'false'}>
        <Show when={answer.isRunning()}>
          <Running onStop={answer.stop} />
        </Show>
        <Switch fallback={<SkeletonChart />}>
          <Match when={editor.missing()}>
            {(key) => <EmptyState title={t('insights.notAskedYet')} text={t(key())} />}
          </Match>
          <Match when={answer.isStopped()}>
            <EmptyState
              title={t('insights.stopped')}
              actions={<Button onClick={answer.run}>{t('insights.runAgain')}</Button>}
            />
          </Match>
          <Match when={answer.failure()}>
            {(error) => (
              <ErrorState
                title={t('insights.failed')}
                error={error()}
                onRetry={answer.run}
                isRetrying={answer.isRunning()}
              />
            )}
          </Match>
          <Match when={answer.answered()}>
            {(answered) => <Shown editor={editor} catalog={props.catalog} answered={answered()} />}
          </Match>
        </Switch>
      </div>
    </section>
  )
}

/** A bar at the top of the answer while a query runs, and after a while a way to stop it. */
function Running(props: { readonly onStop: () => void }): JSX.Element {
  const [isSlow, setSlow] = createSignal(false)
  const timer = setTimeout(() => setSlow(true), SLOW_MS)
  onCleanup(() => clearTimeout(timer))
  return (
    <div class="result-running">
      <span class="result-progress" />
      <Show
        when={isSlow()}
        fallback={
          <span class="ui-hidden" role="status">
            {t('common.loading')}
          </span>
        }
      >
        <p class="result-slow" role="status">
          {t('insights.slow')}
          <Button size="small" onClick={props.onStop}>
            {t('insights.stop')}
          </Button>
        </p>
      </Show>
    </div>
  )
}

/** An existing answer. */
function Shown(props: {
  readonly editor: InsightEditor
  readonly catalog: Catalog
  readonly answered: Answered
}): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const { timeZone } = workspace()
  let chart: HTMLDivElement | undefined
  const view = () => props.editor.viewOf(props.answered.draft)
  const emptiness = (): Emptiness | undefined => {
    const { result, draft, range } = props.answered
    if (!isNothing(result)) return undefined
    return explainEmptiness(draft, { entries: props.catalog.entries(), range })
  }
  const isTimed = (): boolean => INSIGHT_TYPES[props.answered.draft.type].timedViews.includes(view())
  const exportPng = async (): Promise<void> => {
    const { answered, editor } = props
    if (chart) await savePng(chart, { title: editor.title(), answered, timeZone })
  }
  return (
    <>
      <Show
        when={emptiness()}
        fallback={
          <div class="result-answer">
            <Show when={view() !== 'kpi'}>
              <ResultHead answered={props.answered} />
            </Show>
            <div ref={chart} class="answer">
              <Suspense fallback={<SkeletonChart />}>
                <Answer
                  asked={props.answered.request}
                  result={props.answered.result}
                  previous={props.answered.previous}
                  totals={props.answered.totals}
                  spec={props.answered.spec}
                  view={view()}
                  timeZone={timeZone}
                  options={{
                    ...chartOptionsOf(props.answered.spec),
                    legend: 'table',
                    rate: props.editor.state().rate,
                  }}
                  height={phones.matches ? PHONE_HEIGHT_PX : HEIGHT_PX}
                />
              </Suspense>
            </div>
          </div>
        }
      >
        {(reason) => (
          <Nothing emptiness={reason()} editor={props.editor} liveHref={props.catalog.liveHref()} />
        )}
      </Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <ResultFoot
        answered={props.answered}
        isTimed={isTimed()}
        canSavePicture={view() !== 'table' && !emptiness()}
        onRefresh={props.editor.answer.run}
        onCsv={() => saveCsv(props.answered, timeZone)}
        onPng={() => action.run(exportPng)}
      />
    </>
  )
}
