import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createSignal, For, type JSX, onCleanup, Show, Suspense } from 'solid-js'
import type { View } from '../charts/chart.ts'
import { RemountOnNavigation } from '../context/remount.tsx'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { SaveToDashboard } from '../dashboards/save-to-dashboard.tsx'
import { TileQueryHead } from '../dashboards/tile-query-head.tsx'
import type { SavedInsight } from '../dashboards/tile-view.ts'
import { formatRange } from '../format/values.ts'
import { Answer } from '../insights/answer.tsx'
import { AnswerActions } from '../insights/answer-actions.tsx'
import { Builder } from '../insights/builder.tsx'
import { chartOptionsOf } from '../insights/chart-options.ts'
import { CostLine } from '../insights/cost-line.tsx'
import { GRANULARITIES, type Granularity } from '../insights/model/draft.ts'
import { VIEW_NAMES, type Views } from '../insights/model/views.ts'
import { isTooNarrow } from '../insights/period.ts'
import { PeriodField } from '../insights/period-field.tsx'
import { loadRules } from '../insights/precheck.ts'
import { createQueryEditor, type QueryEditor } from '../insights/query-editor.ts'
import type { Answered } from '../insights/run-query.ts'
import { createSchema } from '../insights/schema.ts'
import { titleOf, viewsOf } from '../insights/spec.ts'
import { entryOfAnswer, INSIGHT_TYPES } from '../insights/types/insight-types.ts'
import { Async, Skeleton } from '../ui/async.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { CheckField, SelectField } from '../ui/field.tsx'

const GRANULARITY_CHOICES = (Object.keys(GRANULARITIES) as Granularity[]).map((value) => ({
  value,
  label: GRANULARITIES[value],
}))

/** Edits and runs the insight query of the address. */
export function InsightsPage(_props: { readonly rest: string }): JSX.Element {
  return (
    <RemountOnNavigation>
      <QueryPage />
    </RemountOnNavigation>
  )
}

function QueryPage(): JSX.Element {
  const schema = createSchema()
  const editor = createQueryEditor()
  const { draft, setDraft, problem } = editor
  const may = useMay()
  const [isSaving, setSaving] = createSignal(false)
  const saved = (): SavedInsight => {
    const { spec, compare, granularity } = editor.query()
    return { spec, compare, granularity, view: editor.view() }
  }
  return (
    <>
      <Show when={may(DashboardsService.method.upsert) && editor.tile} fallback={<Head />}>
        {(id) => <TileQueryHead id={id()} {...saved()} />}
      </Show>
      <div class="builder">
        <section class="card" aria-label="Query" onFocusIn={() => void loadRules()}>
          <Folded summary={titleOf(draft)}>
            <Builder draft={draft} setDraft={setDraft} schema={schema} problem={problem} />
          </Folded>
        </section>
        <section class="card" aria-label="Answer">
          <AnswerHead editor={editor} />
          <Async of={editor.answer} retry={editor.retry} lines={9}>
            {(ready) => (
              <Suspense fallback={<Skeleton lines={9} />}>
                <AnswerPanel
                  answered={ready()}
                  view={editor.viewOf(ready().draft)}
                  onSave={() => setSaving(true)}
                />
              </Suspense>
            )}
          </Async>
        </section>
      </div>
      <Show when={isSaving()}>
        <SaveToDashboard {...saved()} onClose={() => setSaving(false)} />
      </Show>
    </>
  )
}

function Head(): JSX.Element {
  return (
    <header class="page-head">
      <div>
        <h1>Insights</h1>
      </div>
    </header>
  )
}

const wide = matchMedia('(min-width: 901px)')

/** Collapsed on a narrow page, so that the answer is in view. */
function Folded(props: { readonly summary: string; readonly children: JSX.Element }): JSX.Element {
  const [isWide, setWide] = createSignal(wide.matches)
  const follow = (event: MediaQueryListEvent): void => {
    setWide(event.matches)
  }
  wide.addEventListener('change', follow)
  onCleanup(() => wide.removeEventListener('change', follow))
  return (
    <Show when={!isWide()} fallback={props.children}>
      <details>
        <summary>{props.summary}</summary>
        {props.children}
      </details>
    </Show>
  )
}

/** The time range and the view of the answer. */
function AnswerHead(props: { readonly editor: QueryEditor }): JSX.Element {
  const workspace = useWorkspace()
  const { editor } = props
  return (
    <div class="row spread answer-head">
      <div class="row end">
        <PeriodField
          period={editor.query().period}
          timeZone={workspace().timeZone}
          problem={editor.problem('timeRange')}
          onChange={editor.setPeriod}
        />
        <SelectField
          label="Granularity"
          labelDisplay="hidden"
          value={editor.query().granularity}
          choices={GRANULARITY_CHOICES}
          isDisabled={(granularity) =>
            isTooNarrow(granularity, {
              period: editor.query().period,
              timeZone: workspace().timeZone,
            })
          }
          problem={editor.problem('granularity')}
          onChange={editor.setGranularity}
        />
        <Show when={INSIGHT_TYPES[editor.draft.type].comparable}>
          <CheckField
            label="Compare to previous period"
            isChecked={editor.query().compare === 'previous'}
            onChange={(isChecked) => editor.setCompare(isChecked ? 'previous' : 'none')}
          />
        </Show>
      </div>
      <ViewSwitch views={viewsOf(editor.draft)} view={editor.view()} onChange={editor.setView} />
    </div>
  )
}

function AnswerPanel(props: {
  readonly answered: Answered
  readonly view: View
  readonly onSave: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  let chart: HTMLDivElement | undefined
  const result = () => props.answered.response.result
  const previous = () => props.answered.previous?.result
  const time = (): string =>
    `${formatRange(props.answered.range, workspace().timeZone)}, times in ${workspace().timeZone}`
  return (
    <>
      <div ref={chart} class="answer">
        <Answer
          asked={props.answered.request}
          result={result()}
          previous={previous()}
          totals={props.answered.totals}
          spec={props.answered.spec}
          view={props.view}
          timeZone={workspace().timeZone}
          options={{ ...chartOptionsOf(props.answered.spec), legend: 'table' }}
          height={300}
        />
      </div>
      <p class="quiet small">{time()}</p>
      <CostLine answer={props.answered.response} />
      <AnswerActions
        entry={entryOfAnswer(result(), props.answered.spec)}
        result={result()}
        previous={previous()}
        chart={() => chart}
        isTable={props.view === 'table'}
        title={titleOf(props.answered.draft)}
        time={time()}
      >
        <CopyButton text={() => location.href} label="link" display="labelled" />
        <Show when={may(DashboardsService.method.upsert)}>
          <button type="button" class="button" onClick={() => props.onSave()}>
            Add to dashboard
          </button>
        </Show>
      </AnswerActions>
    </>
  )
}

function ViewSwitch(props: {
  readonly views: Views
  readonly view: View
  readonly onChange: (view: View) => void
}): JSX.Element {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">View</legend>
      <For each={props.views}>
        {(view) => (
          <button
            type="button"
            class="button"
            aria-pressed={view === props.view}
            onClick={() => props.onChange(view)}
          >
            {VIEW_NAMES[view]}
          </button>
        )}
      </For>
    </fieldset>
  )
}
