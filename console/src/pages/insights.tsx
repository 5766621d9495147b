import { fromJson } from '@bufbuild/protobuf'
import {
  Granularity as GranularityEnum,
  InsightQuerySpecSchema,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { createMemo, createResource, createSignal, For, type JSX, Show, untrack } from 'solid-js'
import { createStore } from 'solid-js/store'
import { currentPlace, navigate } from '../app/router.ts'
import { isMember, useWorkspace } from '../app/workspace.ts'
import { Answer } from '../insight/answer.tsx'
import { Builder } from '../insight/builder.tsx'
import { type Draft, GRANULARITIES, type Granularity, newDraft } from '../insight/draft.ts'
import { isRangeName, RANGES, type RangeName, rangeUntil } from '../insight/range.ts'
import { SaveToDashboard } from '../insight/save-to-dashboard.tsx'
import { createSchema } from '../insight/schema.ts'
import { decodeDraft, encodeDraft } from '../insight/spec-json.ts'
import { tabulate, toCsv } from '../insight/table.ts'
import { chooseView, VIEW_NAMES, VIEWS, type View } from '../insight/view.ts'
import { rpc } from '../rpc/clients.ts'
import { Failure } from '../rpc/failure.ts'
import { Async } from '../ui/async.tsx'
import { SelectField } from '../ui/field.tsx'

/** The address of the page is the question. */
interface Question {
  readonly spec: string
  readonly range: RangeName
  readonly granularity: Granularity
}

const GRANULARITY_NUMBERS = {
  GRANULARITY_MINUTE: GranularityEnum.MINUTE,
  GRANULARITY_HOUR: GranularityEnum.HOUR,
  GRANULARITY_DAY: GranularityEnum.DAY,
  GRANULARITY_WEEK: GranularityEnum.WEEK,
  GRANULARITY_MONTH: GranularityEnum.MONTH,
} as const satisfies Record<Granularity, GranularityEnum>

const RANGE_CHOICES = (Object.keys(RANGES) as RangeName[]).map((value) => ({
  value,
  label: RANGES[value].label,
}))
const GRANULARITY_CHOICES = (Object.keys(GRANULARITIES) as Granularity[]).map((value) => ({
  value,
  label: GRANULARITIES[value],
}))

/** The question of an address; what is not readable is as in a new one. */
function readQuestion(query: URLSearchParams): Question & { readonly draft: Draft } {
  const name = query.get('range')
  const range = isRangeName(name) ? name : 'LAST_7_DAYS'
  const width = query.get('granularity') ?? ''
  const granularity = Object.hasOwn(GRANULARITIES, width) ? (width as Granularity) : RANGES[range].granularity
  const draft = readDraft(query.get('spec'))
  return { spec: JSON.stringify(encodeDraft(draft)), range, granularity, draft }
}

function readDraft(text: string | null): Draft {
  if (text === null) return newDraft()
  try {
    return decodeDraft(JSON.parse(text))
  } catch {
    return newDraft()
  }
}

async function ask({ spec, range, granularity }: Question): Promise<QueryResponse> {
  return await rpc.insights.query({
    spec: fromJson(InsightQuerySpecSchema, JSON.parse(spec)),
    timeRange: rangeUntil(range, Date.now()),
    granularity: GRANULARITY_NUMBERS[granularity],
  })
}

/** Asks any insight. */
export function InsightsPage(_props: { readonly rest: string }): JSX.Element {
  const workspace = useWorkspace()
  const schema = createSchema()
  const begun = untrack(() => readQuestion(currentPlace().query))
  const [draft, setDraft] = createStore<Draft>(structuredClone(begun.draft))
  const [range, setRange] = createSignal(begun.range)
  const [granularity, setGranularity] = createSignal(begun.granularity)
  const [viewName, setViewName] = createSignal<string | null>(currentPlace().query.get('view'))
  const [isSaving, setSaving] = createSignal(false)
  const view = (): View => chooseView(draft.type, viewName())
  const question = createMemo(
    (): Question => {
      const spec = JSON.stringify(encodeDraft(draft))
      return { spec, range: range(), granularity: granularity() }
    },
    undefined,
    { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) },
  )
  const address = (): string => {
    const query = new URLSearchParams({ ...question(), view: view() })
    return `/p/${workspace().project.id}/insights?${query}`
  }
  const [answer, { refetch }] = createResource(question, async (asked) => {
    navigate(untrack(address), 'replace')
    return await ask(asked)
  })
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
            <div class="row">
              <SelectField
                label="Time"
                value={range()}
                choices={RANGE_CHOICES}
                onChange={(chosen) => {
                  setRange(chosen)
                  setGranularity(RANGES[chosen].granularity)
                }}
              />
              <SelectField
                label="By"
                value={granularity()}
                choices={GRANULARITY_CHOICES}
                problem={problem('granularity')}
                onChange={setGranularity}
              />
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
              <>
                <Answer
                  result={ready().result}
                  view={view()}
                  timeZone={workspace().timeZone}
                  isMap={draft.type === 'INSIGHT_TYPE_MAP'}
                />
                <div class="row actions">
                  <ExportButton response={ready()} />
                  <Show when={isMember(workspace().org)}>
                    <button type="button" class="button" onClick={() => setSaving(true)}>
                      Add to a dashboard
                    </button>
                  </Show>
                </div>
              </>
            )}
          </Async>
          <Show when={draft.type === 'INSIGHT_TYPE_MAP'}>
            <p class="quiet small">Countries are ranked; there is no drawn map.</p>
          </Show>
        </section>
      </div>
      <Show when={isSaving()}>
        <SaveToDashboard spec={encodeDraft(draft)} view={view()} onClose={() => setSaving(false)} />
      </Show>
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

function ExportButton(props: { readonly response: QueryResponse }): JSX.Element {
  const save = (): void => {
    const csv = new Blob([toCsv(tabulate(props.response.result))], { type: 'text/csv' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(csv)
    link.download = 'insight.csv'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" class="button" onClick={save}>
      Export CSV
    </button>
  )
}
