import { For, Index, type JSX, Show } from 'solid-js'
import { ProblemLine, SelectField, TextField } from '../ui/field.tsx'
import type { FindProblem } from '../ui/form.tsx'
import {
  BreakdownFields,
  type BuilderProps,
  Check,
  choicesOf,
  GroupFields,
  toCount,
} from './builder-parts.tsx'
import {
  AGGREGATIONS,
  DIMENSIONS,
  hasBreakdowns,
  hasEvents,
  hasSessions,
  INSIGHT_TYPES,
  isNumeric,
  newSeries,
  SESSION_METRICS,
  type SeriesDraft,
} from './draft.ts'
import { FilterEditor } from './filter-editor.tsx'
import type { Schema } from './schema.ts'

/** Most that a spec may have. */
const EVENTS_MAX = 20

/** Everything that a spec can say, for the type of insight that is chosen. */
export function Builder(props: BuilderProps): JSX.Element {
  const { setDraft } = props
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Insight"
        value={props.draft.type}
        choices={choicesOf(INSIGHT_TYPES)}
        problem={props.problem('spec.insightType')}
        onChange={(type) => setDraft({ type })}
      />
      <Show when={hasSessions(props.draft.type)}>
        <SelectField
          label="Measure"
          value={props.draft.measure}
          choices={[
            { value: 'events', label: 'Events' },
            { value: 'sessions', label: 'Sessions' },
          ]}
          onChange={(measure) => setDraft({ measure })}
        />
      </Show>
      <Show when={hasEvents(props.draft)} fallback={<ScopeFields {...props} />}>
        <EventFields {...props} />
      </Show>
      <Show when={hasBreakdowns(props.draft.type)}>
        <BreakdownFields {...props} />
      </Show>
      <GroupFields {...props} />
      <Show when={props.draft.type === 'INSIGHT_TYPE_FUNNEL'}>
        <TextField
          label="Conversion window in seconds (0: none)"
          type="number"
          value={String(props.draft.conversionWindowSeconds)}
          problem={props.problem('spec.conversionWindow')}
          onChange={(text) => setDraft({ conversionWindowSeconds: toCount(text) })}
        />
        <Check
          label="Times between steps"
          isOn={props.draft.includeStepTiming}
          onChange={(includeStepTiming) => setDraft({ includeStepTiming })}
        />
      </Show>
      <Check
        label="Count cookieless visitors as users"
        isOn={props.draft.includeCookieless}
        onChange={(includeCookieless) => setDraft({ includeCookieless })}
      />
    </form>
  )
}

function EventFields(props: BuilderProps): JSX.Element {
  const isOrdered = (): boolean =>
    ['INSIGHT_TYPE_FUNNEL', 'INSIGHT_TYPE_RETENTION'].includes(props.draft.type)
  const titleOf = (index: number): string => {
    if (props.draft.type === 'INSIGHT_TYPE_RETENTION') return index === 0 ? 'First event' : 'Return event'
    return props.draft.type === 'INSIGHT_TYPE_FUNNEL' ? `Step ${index + 1}` : `Series ${index + 1}`
  }
  const max = (): number => (props.draft.type === 'INSIGHT_TYPE_RETENTION' ? 2 : EVENTS_MAX)
  return (
    <>
      <Index each={props.draft.events}>
        {(series, index) => (
          <fieldset>
            <legend>{titleOf(index)}</legend>
            <SeriesFields
              series={series()}
              schema={props.schema}
              problem={props.problem}
              path={`spec.events[${index}].event`}
              metricPath={`spec.events[${index}].aggregation`}
              metric={isOrdered() ? 'none' : 'any'}
              onChange={(part) => props.setDraft('events', index, part)}
            />
            <ProblemLine text={props.problem(`spec.events[${index}]`)} />
            <Show when={props.draft.events.length > 1}>
              <button
                type="button"
                class="button quiet-button"
                onClick={() => props.setDraft('events', (events) => events.filter((_, at) => at !== index))}
              >
                Remove {titleOf(index).toLowerCase()}
              </button>
            </Show>
          </fieldset>
        )}
      </Index>
      <ProblemLine text={props.problem('spec.events')} />
      <Show when={props.draft.events.length < max()}>
        <button
          type="button"
          class="button"
          onClick={() => props.setDraft('events', (events) => [...events, newSeries()])}
        >
          {`Add ${titleOf(props.draft.events.length).toLowerCase()}`}
        </button>
      </Show>
    </>
  )
}

/** For what is about all events, or those of one kind. */
function ScopeFields(props: BuilderProps): JSX.Element {
  const { setDraft } = props
  const isFlow = (): boolean => props.draft.type === 'INSIGHT_TYPE_USER_FLOW'
  const isTop = (): boolean => props.draft.type === 'INSIGHT_TYPE_TOP_K'
  const owner = (): string => {
    if (isFlow()) return 'spec.userFlow'
    if (isTop()) return 'spec.topK'
    return hasSessions(props.draft.type) ? 'spec.session' : 'spec.map'
  }
  return (
    <fieldset>
      <legend>{hasSessions(props.draft.type) ? 'Sessions' : 'Events'}</legend>
      <Show when={hasSessions(props.draft.type)}>
        <SelectField
          label="Metric"
          value={props.draft.sessionMetric}
          choices={choicesOf(SESSION_METRICS)}
          problem={props.problem('spec.session.metric')}
          onChange={(sessionMetric) => setDraft({ sessionMetric })}
        />
      </Show>
      <Show when={isTop()}>
        <SelectField
          label="Rank"
          value={props.draft.dimension}
          choices={choicesOf(DIMENSIONS)}
          problem={props.problem('spec.topK.dimension')}
          onChange={(dimension) => setDraft({ dimension })}
        />
        <Show when={props.draft.dimension === 'DIMENSION_PROPERTY'}>
          <TextField
            label="Property"
            value={props.draft.dimensionProperty}
            suggestions={props.schema.properties()}
            problem={props.problem('spec.topK.property')}
            onChange={(dimensionProperty) => setDraft({ dimensionProperty })}
          />
        </Show>
      </Show>
      <Show when={isFlow()}>
        <FlowFields {...props} />
      </Show>
      <SeriesFields
        series={props.draft.scope}
        schema={props.schema}
        problem={props.problem}
        path={`${owner()}.scope`}
        metricPath={`${owner()}.metric`}
        metric={isFlow() || hasSessions(props.draft.type) ? 'none' : 'any'}
        onChange={(part) => setDraft('scope', part)}
      />
      <ProblemLine text={props.problem(owner())} />
      <Show when={isTop()}>
        <TextField
          label="Rows (0: ten)"
          type="number"
          value={String(props.draft.limit)}
          problem={props.problem('spec.topK.limit')}
          onChange={(text) => setDraft({ limit: toCount(text) })}
        />
        <Check
          label="Leave out the others"
          isOn={props.draft.omitOthers}
          onChange={(omitOthers) => setDraft({ omitOthers })}
        />
      </Show>
    </fieldset>
  )
}

const FLOW_LIMITS = {
  maxHops: 'Hops (1 to 10; 0: 5)',
  maxNodes: 'Nodes (2 to 50; 0: 20)',
  maxLinks: 'Links (1 to 500; 0: 250)',
} as const

function FlowFields(props: BuilderProps): JSX.Element {
  return (
    <>
      <TextField
        label="Nodes are values of (empty: event kinds)"
        value={props.draft.flowProperty}
        suggestions={props.schema.properties()}
        problem={props.problem('spec.userFlow.nodeProperty')}
        onChange={(flowProperty) => props.setDraft({ flowProperty })}
      />
      <For each={Object.keys(FLOW_LIMITS) as (keyof typeof FLOW_LIMITS)[]}>
        {(name) => (
          <TextField
            label={FLOW_LIMITS[name]}
            type="number"
            value={String(props.draft[name])}
            problem={props.problem(`spec.userFlow.${name}`)}
            onChange={(text) => props.setDraft({ [name]: toCount(text) })}
          />
        )}
      </For>
    </>
  )
}

function SeriesFields(props: {
  readonly series: SeriesDraft
  readonly schema: Schema
  readonly problem: FindProblem
  readonly path: string
  readonly metricPath: string
  readonly metric: 'any' | 'none'
  readonly onChange: (part: Partial<SeriesDraft>) => void
}): JSX.Element {
  return (
    <>
      <TextField
        label="Event kind (empty: all)"
        value={props.series.kind}
        suggestions={props.schema.kinds()}
        problem={props.problem(`${props.path}.kind`)}
        onChange={(kind) => props.onChange({ kind })}
      />
      <Show when={props.metric === 'any'}>
        <SelectField
          label="Count"
          value={props.series.aggregation}
          choices={choicesOf(AGGREGATIONS)}
          problem={props.problem(props.metricPath)}
          onChange={(aggregation) => props.onChange({ aggregation })}
        />
        <Show when={isNumeric(props.series.aggregation)}>
          <TextField
            label="Numeric property"
            value={props.series.property}
            suggestions={props.schema.properties()}
            problem={props.problem(`${props.metricPath}Property`)}
            onChange={(property) => props.onChange({ property })}
          />
        </Show>
      </Show>
      <FilterEditor
        filters={props.series.filters}
        schema={props.schema}
        kind={props.series.kind}
        path={`${props.path}.filters`}
        problem={props.problem}
        onChange={(filters) => props.onChange({ filters })}
      />
    </>
  )
}
