import './messages.ts'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { changeOf, signChange } from '../format/change.ts'
import { formatNumber, formatSeconds, formatShare, NO_VALUE } from '../format/values.ts'
import { type MessageKey, t } from '../i18n/translate.ts'
import { createBoxSize } from './box-size.ts'
import type { ChartTarget, RateFrom } from './chart.ts'
import {
  COUNTED_NAMES,
  type Counted,
  clearOfText,
  type FunnelRun,
  type FunnelStage,
  hatchPath,
  rateOf,
} from './funnel-model.ts'
import { seriesColor } from './palette.ts'
import { type Anchor, peopleFoot, Tooltip, type TooltipContent } from './tooltip.tsx'

/** Breakdown values with bars; the others are in the tables only. */
const RUNS_MAX = 5
/** Of the room of a step, the share that its bars take. */
const SHARE = 0.55
const WIDTH_MAX = 150
const RADIUS = 4
/** The height of a rate, and the least height of a bar that holds it. */
const LABEL_HEIGHT = 24
const LABEL_WIDTH = 48

/** Opens the people of a step of a run. */
type OpenStep = (series: number) => (step: number, part: 'continued' | 'dropped') => void

/** A step of a run whose people are listed. */
type OpenedStep = Extract<ChartTarget, { kind: 'step' }>

/** A bar in pixels of the drawing. */
interface Bar {
  readonly run: number
  readonly step: number
  readonly stage: FunnelStage
  readonly left: number
  readonly width: number
  readonly top: number
  /** The height of the step before. */
  readonly topBefore: number
}

/** Bars from left to right: solid are the people who continued, hatched those who dropped off. */
export function FunnelBars(props: {
  readonly runs: readonly FunnelRun[]
  readonly height: number
  readonly counted: Counted
  readonly rate: RateFrom
  readonly onOpen: OpenStep | undefined
  /** The part whose people are listed. */
  readonly opened: OpenedStep | undefined
}): JSX.Element {
  let box: HTMLDivElement | undefined
  const size = createBoxSize(() => box)
  const width = (): number => size().width
  const shown = () => props.runs.slice(0, RUNS_MAX)
  const steps = (): readonly FunnelStage[] => shown()[0]?.stages ?? []
  const bars = createMemo(() => placeBars(shown(), { width: width(), height: props.height }))
  const [hovered, setHovered] = createSignal<{ readonly bar: Bar; readonly anchor: Anchor }>()
  const barAt = ({ target }: Event): Bar | undefined =>
    target instanceof SVGPathElement ? bars()[Number(target.dataset.at ?? Number.NaN)] : undefined
  const hover = (event: PointerEvent): void => {
    const bar = barAt(event)
    const anchor = { x: event.clientX, y: event.clientY - 20, side: sideOf(event.clientX) }
    setHovered(bar && { bar, anchor })
  }
  const isOpened = ({ run, step }: Bar, part: OpenedStep['part']): boolean =>
    props.opened?.series === run && props.opened.step === step && props.opened.part === part
  const open = (event: MouseEvent): void => {
    const bar = barAt(event)
    const isDropped = event.target instanceof SVGPathElement && event.target.dataset.part === 'dropped'
    if (bar) props.onOpen?.(bar.run)(bar.step, isDropped ? 'dropped' : 'continued')
  }
  return (
    <section class="funnel-bars" ref={box} aria-label={summarise(props)}>
      <div
        class="funnel-drawing"
        style={{ height: `${props.height}px` }}
        onPointerLeave={() => setHovered(undefined)}
      >
        <svg
          viewBox={`0 0 ${Math.max(1, width())} ${props.height}`}
          aria-hidden="true"
          classList={{ clickable: props.onOpen !== undefined }}
          onPointerMove={hover}
          onClick={open}
        >
          <Show when={shown().length === 1}>
            <For each={bars()}>
              {(bar, at) => <path class="funnel-flow" d={flowPath(bar, bars()[at() + 1], props.height)} />}
            </For>
          </Show>
          <For each={bars()}>
            {(bar, at) => (
              <>
                <Show when={bar.step > 0 && !bar.stage.isAfterOptional && bar.top - bar.topBefore > 1}>
                  <path class="funnel-hatch" d={hatchPath(hatchedBox(bar, props.height))} />
                  <path
                    class="funnel-dropped"
                    classList={{ opened: isOpened(bar, 'dropped') }}
                    d={rectPath(droppedBox(bar))}
                    data-at={at()}
                    data-part="dropped"
                  />
                </Show>
                <path
                  class="funnel-bar"
                  classList={{ opened: isOpened(bar, 'continued') }}
                  d={barPath(bar, props.height)}
                  style={{ fill: seriesColor(bar.run) }}
                  data-at={at()}
                  data-part="continued"
                />
              </>
            )}
          </For>
          <path class="funnel-base" d={`M0 ${props.height - 0.5}H${width()}`} />
        </svg>
        <For each={bars().filter(hasRate)}>
          {(bar) => (
            <span
              class="funnel-rate"
              classList={{ outside: !isRoomy(bar, props.height) }}
              style={{
                left: `${bar.left + bar.width / 2}px`,
                top: `${isRoomy(bar, props.height) ? bar.top : Math.max(0, bar.top - LABEL_HEIGHT)}px`,
              }}
            >
              {writeShare(rateOf(bar.stage, props.rate))}
            </span>
          )}
        </For>
      </div>
      <ol class="funnel-steps" style={{ '--steps': steps().length }}>
        <For each={steps()}>
          {(stage, at) => (
            <Step
              stage={stage}
              at={at()}
              isAlone={shown().length === 1}
              counted={props.counted}
              onOpen={props.onOpen?.(0)}
              opened={props.opened?.step === at() ? props.opened.part : undefined}
            />
          )}
        </For>
      </ol>
      <Show when={hovered()}>
        {(over) => (
          <Tooltip
            content={{ ...describeBar(over().bar, props), ...peopleFoot(props.onOpen) }}
            anchor={over().anchor}
          />
        )}
      </Show>
    </section>
  )
}

const STARTED_NAMES = {
  people: 'peopleCharts.peopleAfter',
  sessions: 'peopleCharts.sessionsAfter',
} as const satisfies Record<Counted, MessageKey>

/** A step in words, below its bars. */
function Step(props: {
  readonly stage: FunnelStage
  readonly at: number
  readonly isAlone: boolean
  readonly counted: Counted
  readonly onOpen: ReturnType<OpenStep> | undefined
  readonly opened: OpenedStep['part'] | undefined
}): JSX.Element {
  return (
    <li class="funnel-step">
      <p class="funnel-name">
        <span class="step-number">{props.at + 1}</span>
        <span class="ellipsis" title={props.stage.label}>
          {props.stage.label}
        </span>
      </p>
      <Show when={props.isAlone}>
        <p classList={{ opened: props.opened === 'continued' }}>
          <Count
            value={props.stage.people}
            onOpen={props.onOpen && (() => props.onOpen?.(props.at, 'continued'))}
          />
          {t(props.at === 0 ? STARTED_NAMES[props.counted] : 'peopleCharts.continuedAfter')}
        </p>
        <Show when={props.at > 0} fallback={<p class="quiet">{t('peopleCharts.startingStep')}</p>}>
          <p classList={{ opened: props.opened === 'dropped' }}>
            <Count
              value={props.stage.dropped}
              onOpen={
                props.stage.isAfterOptional
                  ? undefined
                  : props.onOpen && (() => props.onOpen?.(props.at, 'dropped'))
              }
            />
            {t('peopleCharts.droppedAfter')}
          </p>
        </Show>
        <Show when={props.stage.medianSeconds !== undefined}>
          <p>
            <span class="funnel-count">{formatSeconds(props.stage.medianSeconds ?? 0)}</span>
            {t('peopleCharts.medianAfter')}
          </p>
        </Show>
      </Show>
    </li>
  )
}

function Count(props: { readonly value: number; readonly onOpen: (() => void) | undefined }): JSX.Element {
  return (
    <Show when={props.onOpen} fallback={<span class="funnel-count">{formatNumber(props.value)}</span>}>
      {(open) => (
        <button type="button" class="funnel-count" onClick={() => open()()}>
          {formatNumber(props.value)}
        </button>
      )}
    </Show>
  )
}

function placeBars(
  runs: readonly FunnelRun[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Bar[] {
  const count = runs[0]?.stages.length ?? 0
  const room = width / Math.max(1, count)
  const group = Math.min(room * (runs.length > 1 ? 0.8 : SHARE), WIDTH_MAX * Math.max(1, runs.length / 2))
  const barWidth = group / Math.max(1, runs.length)
  const gap = runs.length > 1 ? 3 : 0
  const topOf = (share: number | undefined): number => height - (share ?? 0) * (height - 1)
  return runs.flatMap(({ stages }, run) =>
    stages.map((stage, step) => ({
      run,
      step,
      stage,
      left: step * room + run * barWidth,
      width: Math.max(1, barWidth - gap),
      top: topOf(stage.fromStart),
      topBefore: topOf(stages[step - 1]?.fromStart ?? 1),
    })),
  )
}

/** Whether the rate of a bar stands inside; that of a lower bar stands above it, where its colour is not behind the text. */
function isRoomy({ top }: Bar, floor: number): boolean {
  return floor - top >= LABEL_HEIGHT
}

/** Whether a bar is wide enough for its rate. */
function hasRate({ width }: Bar): boolean {
  return width >= LABEL_WIDTH
}

/** The hatched part of a step: all that dropped off, but for the rate above a low bar. */
function hatchedBox(bar: Bar, floor: number) {
  const isUnderRate = hasRate(bar) && !isRoomy(bar, floor)
  return clearOfText(droppedBox(bar), isUnderRate ? LABEL_HEIGHT : 0)
}

function droppedBox({ left, width, top, topBefore }: Bar) {
  return { left: left + 0.5, width: width - 1, top: topBefore, height: top - topBefore }
}

function rectPath({ left, top, width, height }: ReturnType<typeof droppedBox>): string {
  return `M${left} ${top}h${width}v${height}h${-width}z`
}

/** A bar with round upper corners. */
function barPath({ left, width, top }: Bar, floor: number): string {
  const height = floor - top
  const r = Math.min(RADIUS, width / 2, height)
  return `M${left} ${floor}V${top + r}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}V${floor}Z`
}

/** The area from the top of a bar to the top of the next one. */
function flowPath(bar: Bar, next: Bar | undefined, floor: number): string {
  if (!next || next.step !== bar.step + 1) return ''
  return `M${bar.left + bar.width} ${bar.top}L${next.left} ${next.top}V${floor}H${bar.left + bar.width}Z`
}

function describeBar({ run, step, stage }: Bar, { runs, counted }: Summarised): TooltipContent {
  const name = runs.length > 1 ? `${runs[run]?.label}, ` : ''
  const change = changeOf(stage.people, stage.peopleBefore, { unit: 'number', good: 'neither' })
  return {
    title: `${name}${step + 1}. ${stage.label}`,
    rows: [
      {
        color: seriesColor(run),
        name: t(step === 0 ? COUNTED_NAMES[counted] : 'peopleCharts.continued'),
        value: formatNumber(stage.people),
        ...(change && { note: signChange(change) }),
      },
      ...(step === 0 ? [] : [{ name: t('peopleCharts.dropped'), value: formatNumber(stage.dropped) }]),
      { name: t('peopleCharts.fromPrevious'), value: step === 0 ? NO_VALUE : writeShare(stage.fromPrevious) },
      { name: t('peopleCharts.fromStart'), value: writeShare(stage.fromStart) },
    ],
  }
}

interface Summarised {
  readonly runs: readonly FunnelRun[]
  readonly counted: Counted
}

/** The funnels in one sentence. */
function summarise({ runs, counted }: Summarised): string {
  const sentences = runs.slice(0, RUNS_MAX).map(({ label, stages }) => {
    const [first, last] = [stages[0], stages.at(-1)]
    const name = runs.length > 1 ? `${label}: ` : ''
    const numbers = { last: last?.people ?? 0, first: first?.people ?? 0, steps: stages.length }
    return (
      name +
      t(counted === 'sessions' ? 'peopleCharts.funnelRunOfSessions' : 'peopleCharts.funnelRun', {
        ...numbers,
        share: writeShare(last?.fromStart),
      })
    )
  })
  return t('peopleCharts.funnelSummary', { runs: sentences.join(' ') })
}

function writeShare(share: number | undefined): string {
  return share === undefined ? NO_VALUE : formatShare(share)
}

function sideOf(x: number): Anchor['side'] {
  return x > innerWidth * 0.6 ? 'left' : 'right'
}
