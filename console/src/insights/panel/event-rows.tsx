import ListFilter from 'lucide-solid/icons/list-filter'
import Plus from 'lucide-solid/icons/plus'
import { createSignal, Index, type JSX, onMount, Show } from 'solid-js'
import { type NameKey, t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { FilterChips } from '../../picker/filter-chips.tsx'
import { moveEntry } from '../../picker/filter-draft.ts'
import { type EventChoice, EventPicker } from '../../picker/pickers.tsx'
import { EventChip, MeasureChip, type MeasureOption } from '../../picker/query-chips.tsx'
import { QueryRow } from '../../picker/query-row.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Origins } from '../model/arrange-steps.ts'
import {
  CALCULATIONS,
  COUNTS,
  type Count,
  type EventDraft,
  isOfAnyValues,
  type MeasureDraft,
  propertyOf,
  ROLLING_COUNTS,
  type SeriesDraft,
} from '../model/draft.ts'
import { decodeSource } from '../model/filters.ts'
import { CALCULATION_PHRASES, MEASURE_NAMES } from '../model/names.ts'
import { SERIES_MAX } from '../model/series.ts'

/** Properties of a list of event rows. */
interface RowsProps<Row extends EventDraft> {
  readonly catalog: Catalog
  readonly rows: readonly Row[]
  /** Receives where the rows come from, too. */
  readonly onChange: (rows: readonly Row[], origins: Origins) => void
}

/** The rows of a query: events that are counted, or steps. */
export function EventRows<Row extends EventDraft>(
  props: RowsProps<Row> & {
    /** The badge of a row: a letter for a series, a number for a step. */
    readonly badgeOf: (index: number) => string
    readonly nameOf: (badge: string) => string
    readonly addLabel: NameKey
    readonly create: (kind: string) => Row
    /** Most rows; as many as a spec has events by default. */
    readonly rowsMax?: number
    /** The chip after the event. */
    readonly chip?: (row: () => Row, change: (row: Row) => void) => JSX.Element
  },
): JSX.Element {
  const rowsMax = (): number => props.rowsMax ?? SERIES_MAX
  /** Opens the list of filters of a row, for its menu. */
  const addFilter: (() => void)[] = []
  const origins = (): Origins => [...props.rows.keys()]
  const change = (at: number, row: Row): void => props.onChange(props.rows.with(at, row), origins())
  const add = ({ event, filters }: EventChoice): void =>
    props.onChange([...props.rows, { ...props.create(event), filters }], [...origins(), undefined])
  return (
    <div class="query-rows" data-query-rows>
      <Index each={props.rows}>
        {(row, at) => (
          <QueryRow
            entries={[
              { label: t('picker.addFilter'), icon: () => <ListFilter />, onSelect: () => addFilter[at]?.() },
            ]}
            badge={props.badgeOf(at)}
            name={props.nameOf(props.badgeOf(at))}
            index={at}
            count={props.rows.length}
            onMove={(move) => props.onChange(moveEntry(props.rows, move), moveEntry(origins(), move))}
            onDuplicate={
              props.rows.length < rowsMax()
                ? () =>
                    props.onChange(
                      props.rows.toSpliced(at + 1, 0, row()),
                      origins().toSpliced(at + 1, 0, undefined),
                    )
                : undefined
            }
            onDelete={
              props.rows.length > 1
                ? () => props.onChange(props.rows.toSpliced(at, 1), origins().toSpliced(at, 1))
                : undefined
            }
          >
            <EventLine
              catalog={props.catalog}
              name={props.nameOf(props.badgeOf(at))}
              row={row()}
              onChange={(changed) => change(at, changed)}
              chip={props.chip?.(row, (changed) => change(at, changed))}
              onFilterReady={(add) => {
                addFilter[at] = add
              }}
            />
          </QueryRow>
        )}
      </Index>
      <Show when={props.rows.length < rowsMax()}>
        <EventPicker
          catalog={props.catalog}
          label={t(props.addLabel)}
          event={undefined}
          onChoose={add}
          onChooseAnother={add}
          trigger={(attributes) => (
            <Button {...attributes} size="small" icon={<Plus />} class="query-add">
              {t(props.addLabel)}
            </Button>
          )}
        />
      </Show>
    </div>
  )
}

/** Events with another name; a goal brings its conditions. */
function withEvent<Row extends EventDraft>(row: Row, { event, filters }: EventChoice): Row {
  return { ...row, kind: event, filters: filters.length > 0 ? filters : row.filters }
}

/** Events with their filters: of a row, the scope of a query, the events of retention. */
export function EventLine<Row extends EventDraft>(props: {
  readonly catalog: Catalog
  /** The role of the events, for screen readers. */
  readonly name: string
  readonly row: Row
  readonly onChange: (row: Row) => void
  readonly chip?: JSX.Element
  /** Receives what opens the list of filters. */
  readonly onFilterReady?: (addFilter: () => void) => void
}): JSX.Element {
  const [isFiltered, setFiltered] = createSignal(false)
  let box: HTMLDivElement | undefined
  const filter = (): void => {
    setFiltered(true)
    // The chip that adds a filter opens its own list.
    queueMicrotask(() => box?.querySelector<HTMLButtonElement>('[data-state="add"] button')?.click())
  }
  onMount(() => props.onFilterReady?.(filter))
  const hasFilters = (): boolean => isFiltered() || props.row.filters.length > 0
  return (
    <div class="query-line" ref={box}>
      <div class="ui-chip-row">
        <EventChip
          catalog={props.catalog}
          event={props.row.kind}
          onChoose={(choice) => props.onChange(withEvent(props.row, choice))}
        />
        {props.chip}
        <Show when={!hasFilters()}>
          <IconButton
            tone="ghost"
            size="small"
            class="query-filter"
            name={t('insights.addFilterTo', { name: props.name })}
            onClick={filter}
          >
            <ListFilter />
          </IconButton>
        </Show>
      </div>
      <Show when={hasFilters()}>
        <FilterChips
          catalog={props.catalog}
          filters={props.row.filters}
          event={props.row.kind}
          label={t('insights.filtersOf', { name: props.name })}
          onChange={(filters) => props.onChange({ ...props.row, filters })}
        />
      </Show>
    </div>
  )
}

function isCount(name: MeasureDraft['aggregation']): name is Count {
  return [...COUNTS, ...ROLLING_COUNTS].some((count) => count === name)
}

/** The measure of a series. */
export function SeriesMeasure(props: {
  readonly catalog: Catalog
  readonly measure: MeasureDraft
  /** The counts on offer; those of a whole range without it. */
  readonly counts?: readonly Count[]
  readonly onChange: (measure: MeasureDraft) => void
}): JSX.Element {
  const options = (): readonly MeasureOption<MeasureDraft['aggregation']>[] => [
    ...(props.counts ?? COUNTS).map((measure) => ({ measure, label: t(MEASURE_NAMES[measure]) })),
    ...CALCULATIONS.map((measure) => ({
      measure,
      label: t(MEASURE_NAMES[measure]),
      of: (property: string) => t(CALCULATION_PHRASES[measure], { property }),
      values: isOfAnyValues(measure) ? ('any' as const) : ('numbers' as const),
    })),
  ]
  const property = (): string => propertyOf(props.measure) ?? ''
  return (
    <MeasureChip
      catalog={props.catalog}
      options={options()}
      measure={props.measure.aggregation}
      property={
        property() === '' ? undefined : { property: property(), source: decodeSource(undefined, property()) }
      }
      state={propertyOf(props.measure) === '' ? 'error' : 'plain'}
      onChange={(aggregation, chosen) =>
        props.onChange(
          isCount(aggregation) ? { aggregation } : { aggregation, property: chosen?.property ?? '' },
        )
      }
    />
  )
}

/** The events of a ranking with their measure. */
export function SeriesLine(props: {
  readonly catalog: Catalog
  readonly name: string
  readonly series: SeriesDraft
  readonly onChange: (series: SeriesDraft) => void
}): JSX.Element {
  return (
    <EventLine
      catalog={props.catalog}
      name={props.name}
      row={props.series}
      onChange={props.onChange}
      chip={
        <SeriesMeasure
          catalog={props.catalog}
          measure={props.series.measure}
          onChange={(measure) => props.onChange({ ...props.series, measure })}
        />
      }
    />
  )
}
