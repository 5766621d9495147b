import './messages.ts'
import { createSignal, Index, type JSX, Show } from 'solid-js'
import { useKeys } from '../context/keys.ts'
import { t } from '../i18n/translate.ts'
import { AddChip, ChipPart, FilterChip } from '../ui/chip.tsx'
import { Flag } from '../ui/flag.tsx'
import { Popover, type TriggerAttributes } from '../ui/popover.tsx'
import type { Catalog } from './catalog.ts'
import { type FilterDraft, isComplete, type Logic, newFilter } from './filter-draft.ts'
import { type FilterPart, FilterSteps } from './filter-steps.tsx'
import { conditionSentence, conditionWords, isCountry } from './names.ts'
import type { PropertyScope } from './pickers.tsx'
import './filter-chips.css'

/** Most filters of a list; the service refuses more. */
const FILTERS_MAX = 20

/** The props of a row of filters. */
export interface FilterChipsProps extends PropertyScope {
  readonly catalog: Catalog
  readonly filters: readonly FilterDraft[]
  /** The operator between the filters: the word between the chips. All of them must match without it. */
  readonly logic?: Logic | undefined
  /** The event whose values are suggested; empty or absent for all. */
  readonly event?: string
  /** The service's error for a filter. */
  readonly problem?: (index: number) => string | undefined
  /** The accessible name of the row. */
  readonly label?: string
  /** The name of the chip that adds a filter. */
  readonly addName?: string
  /** Most filters of the row; by default as many as the service takes. */
  readonly filtersMax?: number
  /** `f` adds a filter to the main row of a page. */
  readonly role?: 'main'
  readonly onChange: (filters: readonly FilterDraft[]) => void
}

/** Filters as chips, and the chip that adds one. Each part of a chip opens its own list. */
export function FilterChips(props: FilterChipsProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of chips is no form
    <div class="ui-chip-row" role="group" aria-label={props.label ?? t('picker.filters')}>
      <Index each={props.filters}>
        {(filter, at) => (
          <>
            <Show when={at > 0}>
              <span class="ui-chip-joint">{t(logicName(props.logic))}</span>
            </Show>
            <Chip
              catalog={props.catalog}
              kinds={props.kinds}
              valueType={props.valueType}
              event={props.event ?? ''}
              filter={filter()}
              problem={props.problem?.(at)}
              onChange={(changed) => props.onChange(props.filters.with(at, changed))}
              onRemove={() => props.onChange(props.filters.toSpliced(at, 1))}
            />
          </>
        )}
      </Index>
      <AddFilter {...props} />
    </div>
  )
}

function logicName(logic: Logic | undefined): 'picker.or' | 'picker.and' {
  return logic === 'LOGICAL_OPERATOR_OR' ? 'picker.or' : 'picker.and'
}

interface ChipProps extends PropertyScope {
  readonly catalog: Catalog
  readonly event: string
  readonly filter: FilterDraft
  readonly problem: string | undefined
  readonly onChange: (filter: FilterDraft) => void
  readonly onRemove: () => void
}

function Chip(props: ChipProps): JSX.Element {
  const type = () => props.catalog.typeOf(props.filter)
  const words = () => conditionWords(props.filter, type())
  const sentence = (): string => conditionSentence(props.filter, type())
  const state = () => (props.problem !== undefined || !isComplete(props.filter) ? 'error' : 'chosen')
  return (
    <span class="filter-chip">
      <FilterChip
        name={sentence()}
        state={state()}
        removeName={t('picker.removeFilter', { filter: sentence() })}
        onRemove={props.onRemove}
      >
        <PartLayer {...props} part="property" text={words().property} />
        <PartLayer {...props} part="operator" text={words().operator} />
        <Show when={words().value !== ''}>
          <PartLayer {...props} part="value" text={words().value} />
        </Show>
      </FilterChip>
      <Show when={props.problem}>
        {(problem) => (
          <span class="filter-problem" role="alert">
            {problem()}
          </span>
        )}
      </Show>
    </span>
  )
}

const PART_NAMES = {
  property: 'picker.changeProperty',
  operator: 'picker.changeOperator',
  value: 'picker.changeValue',
} as const satisfies Record<FilterPart, string>

function PartLayer(props: ChipProps & { readonly part: FilterPart; readonly text: string }): JSX.Element {
  const hasFlag = (): boolean =>
    props.part === 'value' && isCountry(props.filter) && props.filter.values.length === 1
  return (
    <StepsLayer
      {...props}
      start={props.part}
      trigger={(attributes) => (
        <ChipPart
          {...attributes}
          part={props.part}
          aria-label={t(PART_NAMES[props.part], { text: props.text })}
          icon={
            <Show when={hasFlag()}>
              <Flag country={props.filter.values[0] ?? ''} />
            </Show>
          }
        >
          <bdi>{props.text}</bdi>
        </ChipPart>
      )}
    />
  )
}

function AddFilter(props: FilterChipsProps): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  // Values that are ticked one after another belong to the filter that the first of them added.
  let added: number | undefined
  const change = (filter: FilterDraft): void => {
    const isAdded = added !== undefined && added < props.filters.length
    if (!isAdded) added = props.filters.length
    props.onChange(isAdded ? props.filters.with(added ?? 0, filter) : [...props.filters, filter])
  }
  if (props.role === 'main') useKeys([{ keys: 'f', label: t('picker.addFilter'), run: () => setOpen(true) }])
  return (
    <Show when={props.filters.length < (props.filtersMax ?? FILTERS_MAX) || isOpen()}>
      <StepsLayer
        {...props}
        event={props.event ?? ''}
        filter={newFilter()}
        start="property"
        isOpen={isOpen()}
        onOpenChange={(next) => {
          added = undefined
          setOpen(next)
        }}
        onChange={change}
        trigger={(attributes) => <AddChip {...attributes}>{props.addName ?? t('picker.filter')}</AddChip>}
      />
    </Show>
  )
}

function StepsLayer(
  props: PropertyScope & {
    readonly catalog: Catalog
    readonly event: string
    readonly filter: FilterDraft
    readonly start: FilterPart
    readonly trigger: (attributes: TriggerAttributes) => JSX.Element
    readonly isOpen?: boolean
    readonly onOpenChange?: (isOpen: boolean) => void
    readonly onChange: (filter: FilterDraft) => void
  },
): JSX.Element {
  return (
    <Popover
      label={t('picker.filter')}
      scroll="inside"
      class="entry-layer"
      trigger={props.trigger}
      {...(props.isOpen !== undefined && { isOpen: props.isOpen })}
      onOpenChange={(isOpen) => props.onOpenChange?.(isOpen)}
    >
      {(close) => (
        <FilterSteps
          catalog={props.catalog}
          kinds={props.kinds}
          valueType={props.valueType}
          filter={props.filter}
          start={props.start}
          event={props.event}
          onChange={props.onChange}
          onClose={close}
        />
      )}
    </Popover>
  )
}
