import './stickiness.css'
import './time-series.css'
import type { StickinessResult } from '@contract/millrace/insights/v1/stickiness_pb.js'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { formatNumber } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import type { ChartProps, ChartTarget } from './chart.ts'
import { seriesColor } from './palette.ts'
import {
  type ActivityBar,
  activityLine,
  labelStep,
  type StickinessModel,
  stickinessModel,
} from './stickiness-model.ts'
import { type Anchor, peopleFoot, Tooltip, type TooltipContent } from './tooltip.tsx'

/** A part of the chart whose people are listed. */
type OpenedActivity = Extract<ChartTarget, { kind: 'activity' }>

/** People by number of active buckets as bars, and as a line those with that many or more. */
export function StickinessChart(props: ChartProps<StickinessResult>): JSX.Element {
  const model = createMemo(() => stickinessModel(props.result))
  const [hovered, setHovered] = createSignal<{ readonly bar: ActivityBar; readonly anchor: Anchor }>()
  const opened = (): OpenedActivity | undefined =>
    props.opened?.kind === 'activity' ? props.opened : undefined
  const open = ({ series, buckets }: ActivityBar): void =>
    props.onOpen?.({ kind: 'activity', series, buckets, orMore: false })
  return (
    <figure
      class="stickiness"
      style={{ '--plot-height': props.height === undefined ? 'auto' : `${props.height}px` }}
      aria-label={summarise(model())}
    >
      <div class="stickiness-plot" onPointerLeave={() => setHovered(undefined)}>
        <Ticks model={model()} />
        <ol class="stickiness-columns" style={{ '--bars': model().labels.length }}>
          <For each={model().columns}>
            {(bars, at) => (
              <li class="stickiness-column">
                <For each={bars}>
                  {(bar) => (
                    <Bar
                      bar={bar}
                      isOpened={opened()?.buckets === bar.buckets && opened()?.series === bar.series}
                      onOpen={props.onOpen && (() => open(bar))}
                      onHover={(anchor) => setHovered({ bar, anchor })}
                    />
                  )}
                </For>
                <Show when={at() % labelStep(model().columns.length) === 0}>
                  <span class="stickiness-number" aria-hidden="true">
                    {formatNumber(at() + 1)}
                  </span>
                </Show>
              </li>
            )}
          </For>
        </ol>
        <Lines model={model()} />
      </div>
      <p class="stickiness-caption">{t('insights.activePeriods')}</p>
      <Legend model={model()} />
      <Show when={hovered()}>
        {(over) => (
          <Tooltip
            content={{ ...describeBar(over().bar), ...peopleFoot(props.onOpen) }}
            anchor={over().anchor}
          />
        )}
      </Show>
    </figure>
  )
}

function Ticks(props: { readonly model: StickinessModel }): JSX.Element {
  return (
    <For each={props.model.ticks}>
      {({ value, share }) => (
        <span class="stickiness-tick" style={{ '--share': share }} aria-hidden="true">
          {formatNumber(value)}
        </span>
      )}
    </For>
  )
}

function Bar(props: {
  readonly bar: ActivityBar
  readonly isOpened: boolean
  readonly onOpen: (() => void) | undefined
  readonly onHover: (anchor: Anchor) => void
}): JSX.Element {
  const hover = ({ clientX, clientY }: PointerEvent): void =>
    props.onHover({ x: clientX, y: clientY - 20, side: clientX > innerWidth * 0.6 ? 'left' : 'right' })
  return (
    <button
      type="button"
      class="stickiness-bar"
      classList={{ opened: props.isOpened }}
      disabled={props.onOpen === undefined}
      aria-label={speakBar(props.bar)}
      style={{ '--share': props.bar.share, '--paint': seriesColor(props.bar.series) }}
      onPointerMove={hover}
      onClick={() => props.onOpen?.()}
    />
  )
}

/** Drawn over the bars, in a box that stretches with them. */
function Lines(props: { readonly model: StickinessModel }): JSX.Element {
  return (
    <svg
      class="stickiness-lines"
      viewBox={`0 0 ${Math.max(1, props.model.columns.length)} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <For each={props.model.labels}>
        {(_, series) => (
          <path d={activityLine(props.model, series())} style={{ stroke: seriesColor(series()) }} />
        )}
      </For>
    </svg>
  )
}

/** What bars and lines mean, and the names of several series. */
function Legend(props: { readonly model: StickinessModel }): JSX.Element {
  return (
    <ul class="stickiness-legend">
      <Show when={props.model.labels.length > 1}>
        <For each={props.model.labels}>
          {(label, series) => (
            <li>
              <span class="series-mark" style={{ '--paint': seriesColor(series()) }} />
              {label}
            </li>
          )}
        </For>
      </Show>
      <li class="stickiness-meaning">
        <span class="series-mark" />
        {t('insights.exactlyThatMany')}
      </li>
      <li class="stickiness-meaning">
        <span class="series-mark line" />
        {t('insights.thatManyOrMore')}
      </li>
    </ul>
  )
}

function describeBar({ series, label, buckets, people, orMore }: ActivityBar): TooltipContent {
  return {
    title: t('insights.activeIn', { count: buckets }),
    note: label,
    rows: [
      { color: seriesColor(series), name: t('insights.people'), value: formatNumber(people) },
      {
        color: seriesColor(series),
        mark: 'dash',
        name: t('insights.thatManyOrMore'),
        value: formatNumber(orMore),
      },
    ],
  }
}

function speakBar(bar: ActivityBar): string {
  const { title, note, rows } = describeBar(bar)
  return `${note}, ${title}: ${rows.map(({ name, value }) => `${name} ${value}`).join(', ')}`
}

/** The people of each series in one sentence. */
function summarise({ labels, columns }: StickinessModel): string {
  const [first = []] = columns
  return labels
    .map((label, series) =>
      t('insights.stickinessSummary', { series: label, people: formatNumber(first[series]?.orMore ?? 0) }),
    )
    .join(' ')
}
