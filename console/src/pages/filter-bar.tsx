import { fromJson } from '@bufbuild/protobuf'
import { type PropertyFilter, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { type Accessor, createMemo, createSignal, Index, type JSX, Show, untrack } from 'solid-js'
import {
  type FilterDraft,
  isFinished,
  newFilter,
  OPERATOR_CHOICES,
  OPERATORS,
  pathOfFilter,
  type Source,
} from '../insight/draft.ts'
import { createSchema, type Schema } from '../insight/schema.ts'
import { encodeFilter } from '../insight/spec-json.ts'
import { type Choice, SelectField, TextField } from '../ui/field.tsx'
import type { FindProblem } from '../ui/form.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'
import { encodeFilters, keepInAddress, readFiltersOfAddress } from './filter-address.ts'

/** Whose property a condition is about: the event's, or the user's traits. */
type Subject = 'event' | 'user'

/** What a list can be narrowed by. */
export interface FilterSubjects {
  /** How the two are called; the first is that of a new condition. */
  readonly choices: readonly Choice<Subject>[]
  /** Names of properties of events that may be asked for. */
  readonly properties: (schema: Schema) => readonly string[]
}

/** Conditions that are written. */
export interface Filters {
  readonly drafts: Accessor<readonly FilterDraft[]>
  readonly setDrafts: (drafts: readonly FilterDraft[]) => void
  /** Those that say enough to be asked, as messages have them; they change only when they say something else. */
  readonly ready: Accessor<readonly PropertyFilter[]>
}

/** The conditions that the address says; it follows what is written. */
export function createFilters(): Filters {
  const [drafts, setDrafts] = createSignal<readonly FilterDraft[]>(untrack(readFiltersOfAddress))
  const ready = createMemo<readonly PropertyFilter[]>(() => encodeFinished(drafts()), [], {
    equals: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  })
  const change = (changed: readonly FilterDraft[]): void => {
    setDrafts(changed)
    keepInAddress({ filters: encodeFilters(changed) })
  }
  return { drafts, setDrafts: change, ready }
}

function encodeFinished(drafts: readonly FilterDraft[]): readonly PropertyFilter[] {
  return drafts.filter(isFinished).map((draft) => fromJson(PropertyFilterSchema, encodeFilter(draft)))
}

/** Conditions beside each other, all of which have to hold. */
export function FilterBar(props: {
  readonly filters: Filters
  readonly subjects: FilterSubjects
  readonly problem: FindProblem
  /** Path of the list in the request. */
  readonly path: string
}): JSX.Element {
  const add = (): void => {
    const [first] = props.subjects.choices
    const source = first?.value === 'user' ? 'PROPERTY_SOURCE_PROFILE' : 'PROPERTY_SOURCE_AUTO'
    props.filters.setDrafts([...props.filters.drafts(), { ...newFilter(), source }])
  }
  return (
    <section class="filter-bar" aria-label="Filters">
      <Show when={props.filters.drafts().length > 0}>
        <FilterRows {...props} />
      </Show>
      <button type="button" class="button" onClick={add}>
        Add filter
      </button>
    </section>
  )
}

/** The names are read when there is somebody to choose among them. */
function FilterRows(props: Parameters<typeof FilterBar>[0]): JSX.Element {
  const schema = createSchema()
  const pathOf = (index: number): string => pathOfFilter(props.path, props.filters.drafts(), index)
  const change = (index: number, part: Partial<FilterDraft>): void =>
    props.filters.setDrafts(
      props.filters.drafts().map((filter, at) => (at === index ? { ...filter, ...part } : filter)),
    )
  return (
    <Index each={props.filters.drafts()}>
      {(filter, index) => (
        <FilterRow
          title={`Filter ${index + 1}`}
          filter={filter()}
          schema={schema}
          subjects={props.subjects}
          problem={(field) => (isFinished(filter()) ? props.problem(`${pathOf(index)}.${field}`) : undefined)}
          onChange={(part) => change(index, part)}
          onRemove={() => props.filters.setDrafts(props.filters.drafts().filter((_, at) => at !== index))}
        />
      )}
    </Index>
  )
}

function sourceOf(subject: Subject, property: string): Source {
  if (subject === 'user') return 'PROPERTY_SOURCE_PROFILE'
  return property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
}

function FilterRow(props: {
  readonly title: string
  readonly filter: FilterDraft
  readonly schema: Schema
  readonly subjects: FilterSubjects
  readonly problem: FindProblem
  readonly onChange: (part: Partial<FilterDraft>) => void
  readonly onRemove: () => void
}): JSX.Element {
  const subject = (): Subject => (props.filter.source === 'PROPERTY_SOURCE_PROFILE' ? 'user' : 'event')
  return (
    <fieldset class="filter-row" aria-label={props.title}>
      <SelectField
        label="Of"
        value={subject()}
        choices={props.subjects.choices}
        onChange={(chosen) => props.onChange({ source: sourceOf(chosen, ''), property: '' })}
      />
      <TextField
        label="Property"
        value={props.filter.property}
        suggestions={subject() === 'user' ? props.schema.traits() : props.subjects.properties(props.schema)}
        problem={props.problem('property')}
        onChange={(property) => props.onChange({ property, source: sourceOf(subject(), property) })}
      />
      <SelectField
        label="Condition"
        value={props.filter.operator}
        choices={OPERATOR_CHOICES}
        problem={props.problem('operator')}
        onChange={(operator) => props.onChange({ operator })}
      />
      <FilterValue
        filter={props.filter}
        schema={props.schema}
        problem={props.problem}
        onChange={(value) => props.onChange({ value })}
      />
      <button type="button" class="button quiet-button filter-remove" onClick={() => props.onRemove()}>
        Remove
      </button>
    </fieldset>
  )
}

function FilterValue(props: {
  readonly filter: FilterDraft
  readonly schema: Schema
  readonly problem: FindProblem
  readonly onChange: (value: string) => void
}): JSX.Element {
  const [values, setValues] = createSignal<readonly string[]>([])
  const takes = () => OPERATORS[props.filter.operator].takes
  const suggest = async (): Promise<void> => {
    const { property, source } = props.filter
    setValues(property === '' ? [] : await props.schema.readValues(property, source, ''))
  }
  return (
    <>
      <Show when={takes() === 'one'}>
        <TextField
          label="Value"
          value={props.filter.value}
          suggestions={values()}
          problem={props.problem('value')}
          onFocus={() => void suggest()}
          onChange={props.onChange}
        />
      </Show>
      <Show when={takes() === 'many'}>
        <TextAreaField
          label="Values, one a line"
          rows={2}
          value={props.filter.value}
          problem={props.problem('values')}
          onChange={props.onChange}
        />
      </Show>
    </>
  )
}
