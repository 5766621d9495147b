import { createSignal, Index, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import {
  type FilterDraft,
  isComplete,
  OPERATORS,
  type Operator,
  type Source,
} from '../picker/filter-draft.ts'
import { type Choice, ProblemLine, SelectField, TextField } from '../ui/field.tsx'
import type { FindProblem } from '../ui/form.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'
import { pathOfFilter } from './model/filters.ts'
import type { Schema } from './schema.ts'

/** The owner of a filtered property: the event, or the person. */
export type Subject = 'event' | 'person'

/** The properties that filters may use. */
export interface FilterSubjects {
  /** The owners with their labels; the first is that of a new filter. */
  readonly choices: readonly Choice<Subject>[]
  /** Names of the event properties that may be filtered. */
  readonly properties: (schema: Schema) => readonly string[]
}

/** Filters on an event and its person. */
export const EVENT_SUBJECTS: FilterSubjects = {
  choices: [
    { value: 'event', label: 'the event' },
    { value: 'person', label: 'the person' },
  ],
  properties: (schema) => schema.properties(),
}

/** The props of a list of filters. */
export interface FilterRowsProps {
  readonly filters: readonly FilterDraft[]
  readonly schema: Schema
  readonly subjects: FilterSubjects
  /** The event whose values are suggested; empty for all. */
  readonly event: string
  /** The path of the list in the request. */
  readonly path: string
  readonly problem: FindProblem
  readonly onChange: (filters: FilterDraft[]) => void
}

/** The rows of the filters. Incomplete filters are not part of the request and have no problems. */
export function FilterRows(props: FilterRowsProps): JSX.Element {
  const change = (index: number, part: Partial<FilterDraft>): void =>
    props.onChange(props.filters.map((filter, at) => (at === index ? { ...filter, ...part } : filter)))
  return (
    <Index each={props.filters}>
      {(filter, index) => (
        <FilterRow
          title={`Filter ${index + 1}`}
          filter={filter()}
          schema={props.schema}
          subjects={props.subjects}
          event={props.event}
          path={pathOfFilter(props.path, props.filters, index)}
          problem={(path) => (isComplete(filter()) ? props.problem(path) : undefined)}
          onChange={(part) => change(index, part)}
          onRemove={() => props.onChange(props.filters.filter((_, at) => at !== index))}
        />
      )}
    </Index>
  )
}

interface FilterRowProps extends Pick<FilterRowsProps, 'schema' | 'subjects' | 'event' | 'path' | 'problem'> {
  readonly title: string
  readonly filter: FilterDraft
  readonly onChange: (part: Partial<FilterDraft>) => void
  readonly onRemove: () => void
}

function FilterRow(props: FilterRowProps): JSX.Element {
  const subject = (): Subject => (props.filter.source === 'PROPERTY_SOURCE_PROFILE' ? 'person' : 'event')
  return (
    <fieldset class="filter" aria-label={props.title}>
      <SelectField
        label="Of"
        value={subject()}
        choices={props.subjects.choices}
        onChange={(chosen) => props.onChange({ source: sourceOf(chosen, ''), property: '' })}
      />
      <TextField
        label="Property"
        value={props.filter.property}
        suggestions={
          subject() === 'person' ? props.schema.personProperties() : props.subjects.properties(props.schema)
        }
        problem={props.problem(`${props.path}.property`)}
        onChange={(property) => props.onChange({ property, source: sourceOf(subject(), property) })}
      />
      <SelectField
        label="Condition"
        value={props.filter.operator}
        choices={(Object.keys(OPERATORS) as Operator[]).map((value) => ({
          value,
          label: t(OPERATORS[value].name),
        }))}
        problem={props.problem(`${props.path}.operator`)}
        onChange={(operator) => props.onChange({ operator })}
      />
      <ValueField {...props} />
      <ProblemLine text={props.problem(props.path)} />
      <button type="button" class="button quiet-button filter-remove" onClick={() => props.onRemove()}>
        Remove filter
      </button>
    </fieldset>
  )
}

function sourceOf(subject: Subject, property: string): Source {
  if (subject === 'person') return 'PROPERTY_SOURCE_PROFILE'
  return property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
}

/** The values that the property is compared with. */
function ValueField(props: FilterRowProps): JSX.Element {
  const [values, setValues] = createSignal<readonly string[]>([])
  const takes = () => OPERATORS[props.filter.operator].takes
  const suggest = async (): Promise<void> => {
    const { property, source } = props.filter
    setValues(property === '' ? [] : await props.schema.readValues(property, source, props.event))
  }
  return (
    <>
      <Show when={takes() === 'one'}>
        <TextField
          label="Value"
          value={props.filter.values.join('\n')}
          suggestions={values()}
          problem={props.problem(`${props.path}.value`)}
          onFocus={() => void suggest()}
          onChange={(value) => props.onChange({ values: value.split('\n') })}
        />
      </Show>
      <Show when={takes() === 'many' || takes() === 'two'}>
        <TextAreaField
          label="Values, one per line"
          rows={2}
          value={props.filter.values.join('\n')}
          problem={['', '[0]', '[1]'].map((at) => props.problem(`${props.path}.values${at}`)).find(Boolean)}
          onChange={(value) => props.onChange({ values: value.split('\n') })}
        />
      </Show>
    </>
  )
}
