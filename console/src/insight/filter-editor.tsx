import { createSignal, Index, type JSX, Show } from 'solid-js'
import { ProblemLine, SelectField, TextField } from '../ui/field.tsx'
import type { FindProblem } from '../ui/form.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'
import {
  type FilterDraft,
  isFinished,
  newFilter,
  OPERATOR_CHOICES,
  OPERATORS,
  pathOfFilter,
  type Source,
} from './draft.ts'
import type { Schema } from './schema.ts'

/** Conditions, any number of them. */
export function FilterEditor(props: {
  readonly filters: readonly FilterDraft[]
  readonly schema: Schema
  readonly kind: string
  /** Path of the list in the request. */
  readonly path: string
  readonly problem: FindProblem
  readonly onChange: (filters: FilterDraft[]) => void
}): JSX.Element {
  const change = (index: number, part: Partial<FilterDraft>): void =>
    props.onChange(props.filters.map((filter, at) => (at === index ? { ...filter, ...part } : filter)))
  return (
    <>
      <Index each={props.filters}>
        {(filter, index) => (
          <OneFilter
            title={`Filter ${index + 1}`}
            filter={filter()}
            schema={props.schema}
            kind={props.kind}
            path={pathOfFilter(props.path, props.filters, index)}
            problem={(path) => (isFinished(filter()) ? props.problem(path) : undefined)}
            onChange={(part) => change(index, part)}
            onRemove={() => props.onChange(props.filters.filter((_, at) => at !== index))}
          />
        )}
      </Index>
      <div>
        <button
          type="button"
          class="button quiet-button"
          onClick={() => props.onChange([...props.filters, newFilter()])}
        >
          Add filter
        </button>
      </div>
    </>
  )
}

interface FilterProps {
  readonly title: string
  readonly filter: FilterDraft
  readonly schema: Schema
  readonly kind: string
  readonly path: string
  readonly problem: FindProblem
  readonly onChange: (part: Partial<FilterDraft>) => void
}

function OneFilter(props: FilterProps & { readonly onRemove: () => void }): JSX.Element {
  const isTrait = (): boolean => props.filter.source === 'PROPERTY_SOURCE_PROFILE'
  const sourceOf = (property: string): Source => {
    if (isTrait()) return 'PROPERTY_SOURCE_PROFILE'
    return property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  }
  return (
    <fieldset class="filter" aria-label={props.title}>
      <div class="two">
        <SelectField
          label="Of"
          value={isTrait() ? 'trait' : 'event'}
          choices={[
            { value: 'event', label: 'the event' },
            { value: 'trait', label: 'the user' },
          ]}
          onChange={(of) =>
            props.onChange({
              source: of === 'trait' ? 'PROPERTY_SOURCE_PROFILE' : 'PROPERTY_SOURCE_CUSTOM',
              property: '',
            })
          }
        />
        <TextField
          label="Property"
          value={props.filter.property}
          suggestions={isTrait() ? props.schema.traits() : props.schema.properties()}
          problem={props.problem(`${props.path}.property`)}
          onChange={(property) => props.onChange({ property, source: sourceOf(property) })}
        />
      </div>
      <div class="two">
        <SelectField
          label="Condition"
          value={props.filter.operator}
          choices={OPERATOR_CHOICES}
          problem={props.problem(`${props.path}.operator`)}
          onChange={(operator) => props.onChange({ operator })}
        />
        <ValueField {...props} />
      </div>
      <ProblemLine text={props.problem(props.path)} />
      <button type="button" class="button quiet-button" onClick={() => props.onRemove()}>
        Remove filter
      </button>
    </fieldset>
  )
}

/** What the property is compared with, as many values as the operator takes. */
function ValueField(props: FilterProps): JSX.Element {
  const [values, setValues] = createSignal<readonly string[]>([])
  const takes = () => OPERATORS[props.filter.operator].takes
  const suggest = async (): Promise<void> => {
    const { property, source } = props.filter
    setValues(property === '' ? [] : await props.schema.readValues(property, source, props.kind))
  }
  return (
    <>
      <Show when={takes() === 'one'}>
        <TextField
          label="Value"
          value={props.filter.value}
          suggestions={values()}
          problem={props.problem(`${props.path}.value`)}
          onFocus={() => void suggest()}
          onChange={(value) => props.onChange({ value })}
        />
      </Show>
      <Show when={takes() === 'many'}>
        <TextAreaField
          label="Values, one a line"
          value={props.filter.value}
          problem={['', '[0]', '[1]'].map((at) => props.problem(`${props.path}.values${at}`)).find(Boolean)}
          onChange={(value) => props.onChange({ value })}
        />
      </Show>
    </>
  )
}
