import { createMemo, createResource, createSignal, For, type JSX, Show, Suspense, untrack } from 'solid-js'
import { createStore } from 'solid-js/store'
import { formatRange } from '../app/format.ts'
import { currentPlace, navigate } from '../app/router.ts'
import { isMember, useWorkspace } from '../app/workspace.ts'
import { Answer } from '../insight/answer.tsx'
import { AnswerActions } from '../insight/answer-actions.tsx'
import { Builder } from '../insight/builder.tsx'
import { Check } from '../insight/builder-parts.tsx'
import { isComparable } from '../insight/compare.ts'
import { CostLine } from '../insight/cost-line.tsx'
import { type Draft, GRANULARITIES, type Granularity } from '../insight/draft.ts'
import { looksOf } from '../insight/looks.ts'
import { PeriodField } from '../insight/period-field.tsx'
import {
  type Answered,
  ask,
  type Question,
  readQuestion,
  titleOf,
  writeQuestion,
} from '../insight/question.ts'
import { type Period, problemOf, usualGranularity } from '../insight/range.ts'
import { SaveToDashboard } from '../insight/save-to-dashboard.tsx'
import { createSchema } from '../insight/schema.ts'
import { encodeDraft } from '../insight/spec-json.ts'
import { chooseView, VIEW_NAMES, VIEWS, type View } from '../insight/view.ts'
import { Failure } from '../rpc/failure.ts'
import { Async, Skeleton } from '../ui/async.tsx'
import { SelectField } from '../ui/field.tsx'

const GRANULARITY_CHOICES = (Object.keys(GRANULARITIES) as Granularity[]).map((value) => ({
  value,
  label: GRANULARITIES[value],
}))

/** Asks any insight. */
export function InsightsPage(_props: { readonly rest: string }): JSX.Element {
  const workspace = useWorkspace()
  const schema = createSchema()
  const begun = untrack(() => readQuestion(currentPlace().query))
  const [draft, setDraft] = createStore<Draft>(structuredClone(begun.draft))
  const [period, setPeriod] = createSignal<Period>(begun.period)
  const [granularity, setGranularity] = createSignal(begun.granularity)
  const [compare, setCompare] = createSignal(begun.compare)
  const [viewName, setViewName] = createSignal<string | null>(currentPlace().query.get('view'))
  const [isSaving, setSaving] = createSignal(false)
  const view = (): View => chooseView(draft.type, viewName())
  const periodProblem = (): string | undefined =>
    problemOf(period(), { granularity: granularity(), timeZone: workspace().timeZone })
  const question = createMemo(
    (): Question => ({
      spec: JSON.stringify(encodeDraft(draft)),
      period: period(),
      granularity: granularity(),
      compare: compare(),
    }),
    undefined,
    { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) },
  )
  const address = (): string => {
    const query = new URLSearchParams({ ...writeQuestion(question()), view: view() })
    return `/p/${workspace().project.id}/insights?${query}`
  }
  // What the service would refuse is not asked: it is said at its field.
  const [answer, { refetch }] = createResource(
    () => (periodProblem() === undefined ? question() : undefined),
    async (asked) => {
      navigate(untrack(address), 'replace')
      return await ask(asked, workspace().timeZone)
    },
  )
  const problem = (path: string): string | undefined =>
    answer.error === undefined ? undefined : Failure.from(answer.error).violations.get(path)
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Insights</h1>
          <p class="quiet">The address of this page is the question: copy it to share it.</p>
        </div>
      </header>
      <div class="builder">
        <section class="card" aria-label="Question">
          <Builder draft={draft} setDraft={setDraft} schema={schema} problem={problem} />
        </section>
        <section class="card" aria-label="Answer" aria-busy={answer.loading}>
          <div class="row spread answer-head">
            <div class="row end">
              <PeriodField
                period={period()}
                timeZone={workspace().timeZone}
                problem={periodProblem() ?? problem('timeRange')}
                onChange={(chosen = 'LAST_7_DAYS') => {
                  setPeriod(chosen)
                  setGranularity(usualGranularity(chosen))
                }}
              />
              <SelectField
                label="By"
                value={granularity()}
                choices={GRANULARITY_CHOICES}
                problem={problem('granularity')}
                onChange={setGranularity}
              />
              <Show when={isComparable(draft.type)}>
                <Check
                  label="Compare with the time before"
                  isOn={compare() === 'prior'}
                  onChange={(isOn) => setCompare(isOn ? 'prior' : 'nothing')}
                />
              </Show>
            </div>
            <ViewSwitch
              views={VIEWS[draft.type]}
              view={view()}
              onChange={(chosen) => {
                setViewName(chosen)
                navigate(address(), 'replace')
              }}
            />
          </div>
          <Async of={answer} retry={() => void refetch()} lines={9}>
            {(ready) => (
              <Suspense fallback={<Skeleton lines={9} />}>
                <AnswerPanel answered={ready()} draft={draft} view={view()} onSave={() => setSaving(true)} />
              </Suspense>
            )}
          </Async>
        </section>
      </div>
      <Show when={isSaving()}>
        <SaveToDashboard
          spec={encodeDraft(draft)}
          view={view()}
          compare={compare()}
          onClose={() => setSaving(false)}
        />
      </Show>
    </>
  )
}

function AnswerPanel(props: {
  readonly answered: Answered
  readonly draft: Draft
  readonly view: View
  readonly onSave: () => void
}): JSX.Element {
  const workspace = useWorkspace()
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
          isMap={props.draft.type === 'INSIGHT_TYPE_MAP'}
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
        title={titleOf(props.draft)}
        time={time()}
      >
        <Show when={isMember(workspace().org)}>
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
