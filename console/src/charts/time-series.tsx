import './time-series.css'
import { endOfBucket } from '@domain/charts/buckets.ts'
import { keysOf, SERIES_COLORS } from '@domain/charts/series-keys.ts'
import {
  isBars,
  modelOf,
  type Span,
  type TimeData,
  type TimeModel,
  topOf,
} from '@domain/charts/time-model.ts'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import type { GoodDirection } from '../format/change.ts'
import { t } from '../i18n/translate.ts'
import { AnnotationMarks } from './annotations.tsx'
import type { LegendPosition } from './chart.ts'
import { type Crosshair, createCrosshair, type Point } from './crosshair.ts'
import { createColorSlots, seriesColor } from './palette.ts'
import { createPlot, type Frame } from './plot-view.ts'
import { SeriesLegend } from './series-legend.tsx'
import { SeriesTable } from './series-table.tsx'
import { summarise } from './summary.ts'
import { speakTooltip, tooltipOf } from './time-tooltip.ts'
import { type Anchor, peopleFoot, Tooltip } from './tooltip.tsx'

/** A point of a chart: a series in a bucket. */
export interface ChartPoint {
  /** The index of the series among those of the chart. */
  readonly series: number
  readonly startMs: number
  readonly endMs: number
}

export interface TimeSeriesProps extends TimeData {
  readonly legend?: LegendPosition
  /** Of the values, for the table below; absent where they are unknown. */
  readonly totals?: readonly SeriesTotal[] | undefined
  readonly good?: GoodDirection
  /** In pixels, without the legend; absent fills the surrounding box, legend included. */
  readonly height?: number
  /** The time that counts as now; by default the clock. */
  readonly nowMs?: number
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
  /** The start of the bucket whose people are listed. */
  readonly openedMs?: number | undefined
  /** Without it, a selection enlarges the chart itself. */
  readonly onZoom?: ((fromMs: number, toMs: number) => void) | undefined
  readonly onZoomBack?: (() => void) | undefined
}

/** A change of which series are shown. */
export interface SeriesSwitch {
  readonly isHidden: (key: string) => boolean
  readonly toggle: (key: string) => void
  /** Shows a series alone, or all again. */
  readonly isolate: (key: string) => void
  readonly focused: () => string | undefined
  readonly focus: (key: string | undefined) => void
}

/** Values over time, with a tooltip, a crosshair and a legend; the table holds the same values as text. */
export function TimeSeries(props: TimeSeriesProps): JSX.Element {
  const slotsFor = createColorSlots()
  const keys = createMemo(() => keysOf(props.series.map(({ label }) => label)))
  const slots = createMemo(() => slotsFor(keys()))
  // A series without a colour of its own is in the table only, until it is ticked.
  const hiddenKeys = createMemo(() => new Set(keys().filter((_, at) => props.series[at]?.isHidden)))
  const shown = createSwitch(keys, (key) => hiddenKeys().has(key) || (slots().get(key) ?? 0) >= SERIES_COLORS)
  const [zoom, setZoom] = createSignal<Span>()
  const modelWith = (hidden: ReadonlySet<string>): TimeModel =>
    modelOf(props, { zoom: zoom(), hidden, slots: slots(), nowMs: props.nowMs ?? Date.now() })
  const model = createMemo(() => modelWith(new Set(keys().filter(shown.isHidden))))
  const everything = createMemo(() => modelWith(new Set()))
  const select = ({ from, to }: Span): void => {
    const { times, offset } = model()
    if (props.onZoom) return props.onZoom(times[from] ?? 0, endOfBucket(times[to] ?? 0, model()))
    setZoom({ from: from + offset, to: to + offset })
  }
  const reset = (): void => {
    props.onZoomBack?.()
    setZoom(undefined)
  }
  const plot = (
    <Plot props={props} keys={keys()} model={model()} shown={shown} onSelect={select} onReset={reset} />
  )
  const legend = (): LegendPosition => props.legend ?? 'below'
  const names = (): JSX.Element => <SeriesLegend model={everything()} shown={shown} />
  return (
    <figure
      class="time-series"
      classList={{ fills: props.height === undefined, [`legend-${legend()}`]: true }}
    >
      <Show when={legend() === 'above' || legend() === 'table'}>
        <Show
          when={legend() === 'above'}
          fallback={<SeriesLegend model={everything()} shown={shown} only="notes" />}
        >
          {names()}
        </Show>
      </Show>
      {plot}
      <Show when={legend() === 'below' || legend() === 'right'}>{names()}</Show>
      <Show when={legend() === 'table'}>
        <SeriesTable
          model={everything()}
          totals={props.totals ?? []}
          good={props.good ?? 'up'}
          shown={shown}
        />
      </Show>
      <Show when={zoom()}>
        <button type="button" class="time-series-reset" onClick={reset}>
          {t('chart.wholeRange')}
        </button>
      </Show>
    </figure>
  )
}

function createSwitch(keys: () => readonly string[], isUnticked: (key: string) => boolean): SeriesSwitch {
  const [chosen, setChosen] = createSignal<ReadonlyMap<string, boolean>>(new Map())
  const [focused, focus] = createSignal<string>()
  const isHidden = (key: string): boolean => chosen().get(key) ?? isUnticked(key)
  return {
    isHidden,
    toggle: (key) => setChosen((before) => new Map(before).set(key, !isHidden(key))),
    isolate: (key) => {
      const isAlone = keys().every((other) => (other === key) !== isHidden(other))
      setChosen(new Map(isAlone ? [] : keys().map((other) => [other, other !== key])))
    },
    focused,
    focus,
  }
}

interface PlotProps {
  readonly props: TimeSeriesProps
  readonly keys: readonly string[]
  readonly model: TimeModel
  readonly shown: SeriesSwitch
  readonly onSelect: (span: Span) => void
  readonly onReset: () => void
}

/** The drawing and everything that follows the pointer. */
function Plot(own: PlotProps): JSX.Element {
  let box: HTMLDivElement | undefined
  const frame = createPlot(() => box, { model: () => own.model, focused: own.shown.focused })
  const click = (at: number, point: Point): void => {
    const line = lineAt(own.model, frame(), { at, y: point.y, focused: own.shown.focused() })
    const startMs = own.model.times[at]
    if (!line || startMs === undefined) return
    own.props.onPoint?.({ series: own.keys.indexOf(line), startMs, endMs: endOfBucket(startMs, own.model) })
  }
  const turn = (by: 1 | -1): void => {
    const keys = own.model.lines.map(({ key }) => key)
    const at = keys.indexOf(own.shown.focused() ?? '')
    own.shown.focus(keys[(at + by + keys.length) % keys.length])
  }
  const crosshair = createCrosshair({
    times: () => own.model.times,
    frame,
    onClick: click,
    onSelect: (span) => own.onSelect(span),
    onReset: () => own.onReset(),
    onTurn: turn,
  })
  const content = createMemo(() => {
    const at = crosshair.index()
    const { foot } = peopleFoot(own.props.onPoint)
    return at === undefined ? undefined : tooltipOf(own.model, at, { focused: own.shown.focused(), foot })
  })
  const anchor = (): Anchor | undefined => anchorOf(box, frame(), crosshair)
  return (
    <div
      class="time-series-plot"
      style={{ '--plot-height': own.props.height === undefined ? 'auto' : `${own.props.height}px` }}
    >
      <div
        ref={box}
        class="chart"
        classList={{ clickable: own.props.onPoint !== undefined }}
        role="img"
        tabindex="0"
        aria-label={summarise(own.model, own.props.totals ?? [])}
        {...crosshair.handlers}
      />
      <Show when={frame()}>
        {(drawn) => (
          <>
            <AnnotationMarks model={own.model} frame={drawn()} />
            <OpenedBucket model={own.model} frame={drawn()} startMs={own.props.openedMs} />
            <Crossing model={own.model} frame={drawn()} crosshair={crosshair} />
          </>
        )}
      </Show>
      <Show when={crosshair.source() !== 'shared' && crosshair.selection() === undefined && content()}>
        {(shown) => <Show when={anchor()}>{(point) => <Tooltip content={shown()} anchor={point()} />}</Show>}
      </Show>
      <p class="visually-hidden" aria-live="polite">
        {crosshair.source() === 'keyboard' ? speakTooltip(content() ?? { title: '', rows: [] }) : ''}
      </p>
    </div>
  )
}

/** Of the width of a chart, from where its tooltip stands at the left of the crosshair. */
const FLIP_AT = 0.6

function anchorOf(
  box: HTMLElement | undefined,
  frame: Frame | undefined,
  { index, pointer, source }: Crosshair,
): Anchor | undefined {
  const at = index()
  if (!box || !frame || at === undefined) return undefined
  const { left, top } = box.getBoundingClientRect()
  const x = frame.xOf(at)
  const y = source() === 'pointer' ? (pointer()?.y ?? 0) - 20 : frame.top
  return { x: left + x, y: top + y, side: x > frame.left + FLIP_AT * frame.width ? 'left' : 'right' }
}

/** A frame around the bucket whose people are listed. */
function OpenedBucket(props: {
  readonly model: TimeModel
  readonly frame: Frame
  readonly startMs: number | undefined
}): JSX.Element {
  const at = (): number => (props.startMs === undefined ? -1 : props.model.times.indexOf(props.startMs))
  const width = (): number => props.frame.width / Math.max(1, props.model.times.length)
  return (
    <Show when={at() >= 0}>
      <div
        class="opened-bucket"
        aria-hidden="true"
        style={{
          left: `${props.frame.xOf(at()) - width() / 2}px`,
          top: `${props.frame.top}px`,
          width: `${width()}px`,
          height: `${props.frame.height}px`,
        }}
      />
    </Show>
  )
}

/** The line of the crosshair, the points on it, and the span that is being selected. */
function Crossing(props: {
  readonly model: TimeModel
  readonly frame: Frame
  readonly crosshair: Crosshair
}): JSX.Element {
  const points = () => {
    const at = props.crosshair.index()
    if (at === undefined || isBars(props.model.style)) return []
    return props.model.lines.flatMap((line) => {
      const top = topOf(line, at)
      return top === null
        ? []
        : [{ color: seriesColor(line.slot), x: props.frame.xOf(at), y: props.frame.yOf(top) }]
    })
  }
  return (
    <div class="time-series-crossing" aria-hidden="true">
      <Show when={props.crosshair.index() !== undefined}>
        <div
          class="crosshair"
          style={{
            left: `${props.frame.xOf(props.crosshair.index() ?? 0)}px`,
            top: `${props.frame.top}px`,
            height: `${props.frame.height}px`,
          }}
        />
      </Show>
      {points().map(({ color, x, y }) => (
        <div class="crosshair-point" style={{ left: `${x}px`, top: `${y}px`, '--paint': color }} />
      ))}
      <Show when={props.crosshair.selection()}>
        {(span) => (
          <div
            class="crosshair-selection"
            style={{
              left: `${props.frame.xOf(span().from)}px`,
              top: `${props.frame.top}px`,
              width: `${props.frame.xOf(span().to) - props.frame.xOf(span().from)}px`,
              height: `${props.frame.height}px`,
            }}
          />
        )}
      </Show>
    </div>
  )
}

/** The series that a click means: the bar of the stack under it, else the nearest line. */
function lineAt(
  { lines }: TimeModel,
  frame: Frame | undefined,
  { at, y, focused }: { readonly at: number; readonly y: number; readonly focused: string | undefined },
): string | undefined {
  if (focused !== undefined || !frame || Number.isNaN(y)) return focused ?? lines[0]?.key
  const distances = lines.map((line) => {
    const top = topOf(line, at)
    if (top === null) return Number.POSITIVE_INFINITY
    const ends = [frame.yOf(top), frame.yOf(line.bases ? (line.bases[at] ?? 0) : top)]
    const [high, low] = [Math.min(...ends), Math.max(...ends)]
    return y < high ? high - y : Math.max(0, y - low)
  })
  return lines[distances.indexOf(Math.min(...distances))]?.key
}
