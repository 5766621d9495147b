import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { createSignal, For, type JSX, onCleanup, Show, Suspense } from 'solid-js'
import { EachVisit } from '../app/each-visit.tsx'
import { formatRange } from '../app/format.ts'
import { useMay, useWorkspace } from '../app/workspace.ts'
import { Answer } from '../insight/answer.tsx'
import { AnswerActions } from '../insight/answer-actions.tsx'
import { type Asking, createAsking } from '../insight/asking.ts'
import { Builder } from '../insight/builder.tsx'
import { Check } from '../insight/builder-parts.tsx'
import { isComparable } from '../insight/compare.ts'
import { CostLine } from '../insight/cost-line.tsx'
import { GRANULARITIES, type Granularity } from '../insight/draft.ts'
import { loadRules } from '../insight/early-refusal.ts'
import { looksOf } from '../insight/looks.ts'
import { isTooNarrow } from '../insight/period.ts'
import { PeriodField } from '../insight/period-field.tsx'
import { type Answered, titleOf } from '../insight/question.ts'
import { SaveToDashboard } from '../insight/save-to-dashboard.tsx'
import type { SavedInsight } from '../insight/saved-insight.ts'
import { createSchema } from '../insight/schema.ts'
import { TileHead } from '../insight/tile-head.tsx'
import { VIEW_NAMES, type View, viewsOf } from '../insight/view.ts'
import { Async, Skeleton } from '../ui/async.tsx'
import { SelectField } from '../ui/field.tsx'

const GRANULARITY_CHOICES = (Object.keys(GRANULARITIES) as Granularity[]).map((value) => ({
  value,
  label: GRANULARITIES[value],
}))

/** Asks any insight: the one of the address. */
export function InsightsPage(_props: { readonly rest: string }): JSX.Element {
  return (
    <EachVisit>
      <QuestionPage />
    </EachVisit>
  )
}

function QuestionPage(): JSX.Element {
  const schema = createSchema()
  const asking = createAsking()
  const { draft, setDraft, problem } = asking
  const may = useMay()
  const [isSaving, setSaving] = createSignal(false)
  const saved = (): SavedInsight => {
    const { spec, compare } = asking.question()
    return { spec, compare, view: asking.view() }
  }
  return (
    <>
      <Show when={may(DashboardsService.method.upsert) && asking.tile} fallback={<Head />}>
        {(place) => <TileHead place={place()} {...saved()} />}
      </Show>
      <div class="builder">
        <section class="card" aria-label="Question" onFocusIn={() => void loadRules()}>
          <Folded summary={titleOf(draft)}>
            <Builder draft={draft} setDraft={setDraft} schema={schema} problem={problem} />
          </Folded>
        </section>
        <section class="card" aria-label="Answer">
          <AnswerHead asking={asking} />
          <Async of={asking.answer} retry={asking.retry} lines={9}>
            {(ready) => (
              <Suspense fallback={<Skeleton lines={9} />}>
                <AnswerPanel
                  answered={ready()}
                  view={asking.viewOf(ready().draft)}
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
        <p class="quiet">The address of this page is the question: copy it to share it.</p>
      </div>
    </header>
  )
}

const wide = matchMedia('(min-width: 901px)')

/** Folded on a narrow page, where it would stand between the reader and the answer. */
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

/** What time is looked at, and how the answer is shown. */
function AnswerHead(props: { readonly asking: Asking }): JSX.Element {
  const workspace = useWorkspace()
  const { asking } = props
  return (
    <div class="row spread answer-head">
      <div class="row end">
        <PeriodField
          period={asking.question().period}
          timeZone={workspace().timeZone}
          problem={asking.problem('timeRange')}
          onChange={(chosen = 'LAST_7_DAYS') => asking.setPeriod(chosen)}
        />
        <SelectField
          label="By"
          value={asking.question().granularity}
          choices={GRANULARITY_CHOICES}
          isRefused={(granularity) =>
            isTooNarrow(granularity, {
              period: asking.question().period,
              timeZone: workspace().timeZone,
            })
          }
          problem={asking.problem('granularity')}
          onChange={asking.setGranularity}
        />
        <Show when={isComparable(asking.draft.type)}>
          <Check
            label="Compare with the time before"
            isOn={asking.question().compare === 'prior'}
            onChange={(isOn) => asking.setCompare(isOn ? 'prior' : 'nothing')}
          />
        </Show>
      </div>
      <ViewSwitch views={viewsOf(asking.draft)} view={asking.view()} onChange={asking.setView} />
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
  const time = (): string =>
    `${formatRange(props.answered.range, workspace().timeZone)}, times in ${workspace().timeZone}`
  return (
    <>
      <div ref={chart} class="answer">
        <Answer
          result={props.answered.shown.result}
          before={props.answered.before?.result}
          view={props.view}
          timeZone={workspace().timeZone}
          isMap={props.answered.draft.type === 'INSIGHT_TYPE_MAP'}
          looks={looksOf(props.answered.spec)}
          height={300}
        />
      </div>
      <p class="quiet small">{time()}</p>
      <CostLine answer={props.answered.shown} />
      <AnswerActions
        result={props.answered.shown.result}
        before={props.answered.before?.result}
        chart={() => chart}
        isTable={props.view === 'table'}
        title={titleOf(props.answered.draft)}
        time={time()}
      >
        <Show when={may(DashboardsService.method.upsert)}>
          <button type="button" class="button" onClick={() => props.onSave()}>
            Add to a dashboard
          </button>
        </Show>
      </AnswerActions>
    </>
  )
}

function ViewSwitch(props: {
  readonly views: readonly View[]
  readonly view: View
  readonly onChange: (view: View) => void
}): JSX.Element {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">Shown as</legend>
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
