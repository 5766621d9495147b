import './messages.ts'
import type { BucketScale } from '@domain/charts/buckets.ts'
import { createSignal, For, type JSX, Show, untrack } from 'solid-js'
import { formatNumber, formatPoints, formatShare, NO_VALUE } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { growInTurns } from '../ui/in-turn.tsx'
import { describeBucket, namePeriod, WIDTH_NAMES } from './buckets.ts'
import {
  type RetentionCell,
  type RetentionModel,
  type RetentionRow,
  returnedPeople,
} from './retention-model.ts'
import { type Anchor, peopleFoot, Tooltip, type TooltipContent } from './tooltip.tsx'

/** The width of the columns before the first period. */
export const HEAD_WIDTH = 208

/** A slow machine draws this many in a frame or two. */
const CELLS_PER_TURN = 600

interface HeatProps {
  readonly model: RetentionModel
  readonly timeZone: string
  readonly onOpen: ((cohort: string, period: number) => void) | undefined
  /** The cell whose people are listed. */
  readonly opened: { readonly cohort: string; readonly period: number } | undefined
}

/** A cell of the heat map. */
interface CellPosition {
  readonly row: number
  readonly period: number
}

const MOVES: Readonly<Record<string, CellPosition>> = {
  ArrowLeft: { row: 0, period: -1 },
  ArrowRight: { row: 0, period: 1 },
  ArrowUp: { row: -1, period: 0 },
  ArrowDown: { row: 1, period: 0 },
}

/** Cohorts by period. Each cell holds its number, so that colour is not the only cue. */
export function RetentionHeat(props: HeatProps): JSX.Element {
  let grid: HTMLTableElement | undefined
  const [active, setActive] = createSignal<CellPosition>({ row: 0, period: 0 })
  const [tooltip, setTooltip] = createSignal<{ readonly content: TooltipContent; readonly anchor: Anchor }>()
  const scale = (): BucketScale => ({ width: props.model.width, timeZone: props.timeZone })
  const rows = growInTurns(
    () => props.model.rows,
    untrack(() => Math.ceil(CELLS_PER_TURN / Math.max(1, props.model.averages.length))),
  )
  const show = (event: Event): void => {
    const found = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    const position = found && positionOf(found)
    if (!found || !position) return void setTooltip(undefined)
    setActive(position)
    const { right, top, left } = found.getBoundingClientRect()
    const side = right > innerWidth * 0.6 ? 'left' : 'right'
    const content = describeCell(props.model, position, scale())
    setTooltip(
      content && {
        content: { ...content, ...peopleFoot(props.onOpen) },
        anchor: { x: side === 'left' ? left : right, y: top, side },
      },
    )
  }
  const open = ({ row, period }: CellPosition): void =>
    props.onOpen?.(props.model.rows[row]?.cohort ?? '', period)
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') return open(active())
    const move = MOVES[event.key]
    if (!move) return
    event.preventDefault()
    const next = { row: active().row + move.row, period: active().period + move.period }
    grid?.querySelector<HTMLElement>(`[data-row="${next.row}"][data-period="${next.period}"]`)?.focus()
  }
  return (
    <>
      <table
        ref={grid}
        class="heat"
        classList={{ clickable: props.onOpen !== undefined }}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the arrow keys move through the cells
        role="grid"
        onPointerOver={show}
        onPointerLeave={() => setTooltip(undefined)}
        onFocusIn={show}
        onFocusOut={() => setTooltip(undefined)}
        onKeyDown={press}
        onClick={(event) => {
          const position = event.target instanceof HTMLElement && positionOf(event.target)
          if (position) open(position)
        }}
      >
        <Head model={props.model} />
        <tbody>
          <Average model={props.model} />
          <For each={rows()}>
            {(row, at) => (
              <HeatRow
                row={row}
                at={at()}
                model={props.model}
                scale={scale()}
                active={active()}
                opened={props.opened?.cohort === row.cohort ? props.opened.period : undefined}
              />
            )}
          </For>
        </tbody>
      </table>
      <Show when={tooltip()}>{(shown) => <Tooltip {...shown()} />}</Show>
    </>
  )
}

function positionOf({ dataset }: HTMLElement): CellPosition | undefined {
  return dataset.row === undefined ? undefined : { row: Number(dataset.row), period: Number(dataset.period) }
}

function Head(props: { readonly model: RetentionModel }): JSX.Element {
  return (
    <thead>
      <tr>
        <th scope="col">{t(WIDTH_NAMES[props.model.width])}</th>
        <th scope="col" class="number">
          {t('peopleCharts.people')}
        </th>
        <For each={props.model.averages}>
          {(_, period) => <th scope="col">{namePeriod(props.model.width, period())}</th>}
        </For>
      </tr>
    </thead>
  )
}

/** The average comes first: it is the answer. */
function Average(props: { readonly model: RetentionModel }): JSX.Element {
  return (
    <tr class="heat-average">
      <th scope="row">{t('peopleCharts.average')}</th>
      <td class="number">{formatNumber(props.model.people)}</td>
      <For each={props.model.averages}>
        {(percent, period) => (
          <Show when={percent !== undefined} fallback={<td />}>
            <td
              class="cell"
              classList={{ origin: period() === 0 }}
              style={{ '--share': heatShare(percent ?? 0, period(), props.model) }}
            >
              {formatShare((percent ?? 0) / 100)}
            </td>
          </Show>
        )}
      </For>
    </tr>
  )
}

function HeatRow(props: {
  readonly row: RetentionRow
  readonly at: number
  readonly model: RetentionModel
  readonly scale: BucketScale
  readonly active: CellPosition
  /** The period whose people are listed. */
  readonly opened: number | undefined
}): JSX.Element {
  return (
    <tr>
      <th scope="row">{describeBucket(props.row.startMs, props.scale)}</th>
      <td class="number">{formatNumber(props.row.people)}</td>
      <For each={props.row.cells}>
        {({ period, percent, isComplete }) => (
          <td
            class="cell"
            classList={{
              origin: period === 0,
              unfinished: !isComplete && period > 0,
              opened: props.opened === period,
            }}
            style={{ '--share': heatShare(percent, period, props.model) }}
            tabindex={props.active.row === props.at && props.active.period === period ? 0 : -1}
            data-row={props.at}
            data-period={period}
          >
            {props.row.people > 0 ? formatShare(percent / 100) : NO_VALUE}
          </td>
        )}
      </For>
    </tr>
  )
}

/** The strength of a cell, 0 to 1: relative to the highest, because retention is often low everywhere. */
function heatShare(percent: number, period: number, { percentMax }: RetentionModel): number {
  return period === 0 || percentMax === 0 ? 0 : Math.min(1, percent / percentMax)
}

function describeCell(
  model: RetentionModel,
  { row: at, period }: CellPosition,
  scale: BucketScale,
): TooltipContent | undefined {
  const row = model.rows[at]
  const cell = row?.cells[period]
  if (!row || !cell) return undefined
  const average = model.averages[period]
  return {
    title: `${describeBucket(row.startMs, scale)}, ${namePeriod(model.width, period)}`,
    rows: [
      {
        name: t('peopleCharts.cameBack'),
        value: t('peopleCharts.partOf', { part: returnedPeople(row, cell), whole: row.people }),
      },
      { name: t('peopleCharts.retention'), value: formatShare(cell.percent / 100) },
      ...noteOf(cell, average),
    ],
  }
}

function noteOf(
  { isComplete, percent, period }: RetentionCell,
  average: number | undefined,
): TooltipContent['rows'] {
  if (period === 0) return []
  if (!isComplete) return [{ name: t('peopleCharts.notComplete'), value: '', isQuiet: true }]
  if (average === undefined) return []
  const sign = percent >= average ? '+' : '\u2212'
  return [
    {
      name: t('peopleCharts.againstAverage'),
      value: `${sign}${formatPoints(Math.abs(percent - average))} pp`,
      isQuiet: true,
    },
  ]
}
