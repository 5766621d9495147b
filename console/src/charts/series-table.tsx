import './series-table.css'
import type { Line, TimeModel } from '@domain/charts/time-model.ts'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import { createMemo, createSignal, For, type JSX } from 'solid-js'
import { changeOf, type GoodDirection } from '../format/change.ts'
import { formatKnown } from '../format/unit.ts'
import { t } from '../i18n/translate.ts'
import { ChangeMark } from './change-mark.tsx'
import { seriesColor } from './palette.ts'
import { COLUMNS, type ColumnName, type Sorting, sortRows } from './series-sorting.ts'
import { Sparkline } from './sparkline.tsx'
import type { SeriesSwitch } from './time-series.tsx'

/** A row of the table below a chart. */
interface Row extends SeriesTotal {
  readonly line: Line
}

/** The legend of a chart as a table: switches, values over the range, their changes and courses. */
export function SeriesTable(props: {
  readonly model: TimeModel
  readonly totals: readonly SeriesTotal[]
  readonly good: GoodDirection
  readonly shown: SeriesSwitch
}): JSX.Element {
  const [sorting, setSorting] = createSignal<Sorting>({ column: 'value', direction: 'descending' })
  const rows = createMemo(() =>
    sortRows(
      props.model.lines.map((line, at) => {
        const { value, previous } = props.totals[at] ?? { value: undefined, previous: undefined }
        return { line, value, previous }
      }),
      sorting(),
    ),
  )
  const isCompared = (): boolean => rows().some(({ previous }) => previous !== undefined)
  const columns = (): readonly ColumnName[] =>
    isCompared() ? ['name', 'value', 'previous', 'change'] : ['name', 'value']
  const sortBy = (column: ColumnName): void => {
    setSorting((before) => ({ column, direction: nextDirection(before, column) }))
  }
  return (
    <section class="table-scroll series-table" tabindex="0" aria-label={t('chart.series')}>
      <table>
        <thead>
          <tr>
            <For each={columns()}>
              {(column) => (
                <th
                  scope="col"
                  class={column === 'name' ? undefined : 'number'}
                  aria-sort={sorting().column === column ? sorting().direction : undefined}
                >
                  <button type="button" onClick={() => sortBy(column)}>
                    {t(COLUMNS[column])}
                    <span class="series-table-arrow" aria-hidden="true">
                      {sorting().column === column ? ARROWS[sorting().direction] : ''}
                    </span>
                  </button>
                </th>
              )}
            </For>
            <th scope="col">{t('chart.trend')}</th>
          </tr>
        </thead>
        <tbody>
          <For each={rows()}>{(row) => <SeriesRow {...row} {...props} isCompared={isCompared()} />}</For>
        </tbody>
      </table>
    </section>
  )
}

const ARROWS = { ascending: '\u2191', descending: '\u2193' } as const

function nextDirection(before: Sorting, column: ColumnName): Sorting['direction'] {
  if (before.column !== column) return column === 'name' ? 'ascending' : 'descending'
  return before.direction === 'descending' ? 'ascending' : 'descending'
}

function SeriesRow(
  props: Row & {
    readonly model: TimeModel
    readonly good: GoodDirection
    readonly shown: SeriesSwitch
    readonly isCompared: boolean
  },
): JSX.Element {
  const unit = () => props.model.unit
  const change = () => changeOf(props.value, props.previous, { unit: unit(), good: props.good })
  const complete = () => props.line.values.slice(0, props.model.incomplete).map((value) => value ?? 0)
  return (
    <tr
      classList={{ off: props.shown.isHidden(props.line.key) }}
      onPointerEnter={() => props.shown.focus(props.line.key)}
      onPointerLeave={() => props.shown.focus(undefined)}
      onDblClick={() => props.shown.isolate(props.line.key)}
    >
      <th scope="row">
        <label class="series-tick" style={{ '--paint': seriesColor(props.line.slot) }}>
          <input
            type="checkbox"
            checked={!props.shown.isHidden(props.line.key)}
            onChange={() => props.shown.toggle(props.line.key)}
          />
          <span class="ellipsis" title={props.line.label}>
            {props.line.label}
          </span>
        </label>
      </th>
      <td class="number strong">{formatKnown(props.value, unit())}</td>
      {props.isCompared && (
        <>
          <td class="number quiet">{formatKnown(props.previous, unit())}</td>
          <td class="number">
            <ChangeMark change={change()} />
          </td>
        </>
      )}
      <td class="series-trend" style={{ '--spark': seriesColor(props.line.slot) }}>
        <Sparkline values={complete()} previous={[]} />
      </td>
    </tr>
  )
}
