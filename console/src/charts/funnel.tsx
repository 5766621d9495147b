import './messages.ts'
import './chart-table.css'
import './funnel.css'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { FunnelResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { changeOf } from '../format/change.ts'
import { seriesLabel } from '../format/labels.ts'
import { formatKnown } from '../format/unit.ts'
import { formatNumber, formatSeconds, formatShare, NO_VALUE } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { ChangeMark } from './change-mark.tsx'
import type { ChartProps } from './chart.ts'
import { FunnelBars } from './funnel-bars.tsx'
import {
  COUNTED_NAMES,
  type Counted,
  countedBy,
  type FunnelRun,
  type FunnelStage,
  funnelRun,
} from './funnel-model.ts'
import { FunnelTimes } from './funnel-times.tsx'
import { seriesColor } from './palette.ts'
import { TimeSeries } from './time-series.tsx'

type FunnelProps = ChartProps<FunnelResult>

/** The view of a funnel that its query names: steps, conversion over time, or times to convert. */
export function FunnelChart(props: FunnelProps): JSX.Element {
  const series = () => props.result.series
  return (
    <Switch fallback={<FunnelSteps {...props} />}>
      <Match when={series().some(({ overTime }) => overTime.length > 0)}>
        <FunnelOverTime {...props} />
      </Match>
      <Match when={series().some(({ timeToConvert }) => timeToConvert !== undefined)}>
        <FunnelTimes series={series()} />
      </Match>
    </Switch>
  )
}

/** The share of attempts that convert, by the bucket in which they start. */
function FunnelOverTime(props: FunnelProps): JSX.Element {
  const timesOf = ({ series }: FunnelResult): readonly number[] =>
    (series[0]?.overTime ?? []).map(({ time }) => (time ? timestampMs(time) : 0))
  const ratesOf = ({ series }: FunnelResult) =>
    series.map(({ breakdown, overTime }) => ({
      label: seriesLabel({ breakdown }),
      values: overTime.map(({ started, rate }) => (started > 0 ? rate : null)),
    }))
  return (
    <TimeSeries
      times={timesOf(props.result)}
      series={ratesOf(props.result)}
      totals={props.result.series.map(({ breakdown, steps }) => ({
        value: steps.at(-1)?.conversionFromFirst,
        previous: props.previous?.series
          .find((other) => seriesLabel(other) === seriesLabel({ breakdown }))
          ?.steps.at(-1)?.conversionFromFirst,
      }))}
      previous={props.previous ? ratesOf(props.previous) : []}
      previousTimes={props.previous ? timesOf(props.previous) : []}
      good="up"
      style="line"
      timeZone={props.timeZone}
      unit="percent"
      legend={props.options.legend}
      onPoint={props.onOpen && ((point) => props.onOpen?.({ kind: 'point', ...point }))}
      openedMs={props.opened?.kind === 'point' ? props.opened.startMs : undefined}
      {...(props.height !== undefined && { height: props.height })}
    />
  )
}

/** The steps of a funnel with their conversion rates and times; in little room as rows. */
function FunnelSteps(props: FunnelProps): JSX.Element {
  const runs = createMemo(() =>
    props.result.series.map((series) => funnelRun(series, props.previous?.series, props.spec?.funnel)),
  )
  const counted = (): Counted => countedBy(props.spec?.funnel)
  const open = (series: number) => (step: number, part: 'continued' | 'dropped') =>
    props.onOpen?.({ kind: 'step', series, step, part })
  return (
    <Show
      when={props.height !== undefined}
      fallback={<FunnelRows runs={runs()} onOpen={props.onOpen && open} />}
    >
      <div class="funnel">
        <FunnelBars
          runs={runs()}
          height={props.height ?? 0}
          counted={counted()}
          rate={props.options.rate ?? 'previous'}
          onOpen={props.onOpen && open}
          opened={props.opened?.kind === 'step' ? props.opened : undefined}
        />
        <For each={runs()}>
          {(run, at) => (
            <FunnelTable
              run={run}
              isNamed={runs().length > 1}
              isCompared={props.previous !== undefined}
              counted={counted()}
              series={at()}
            />
          )}
        </For>
      </div>
    </Show>
  )
}

/** The steps as rows with short bars, for tiles. */
function FunnelRows(props: {
  readonly runs: readonly FunnelRun[]
  readonly onOpen: ((series: number) => (step: number, part: 'continued' | 'dropped') => void) | undefined
}): JSX.Element {
  return (
    <For each={props.runs}>
      {(run, series) => (
        <section class="funnel-run">
          <Show when={props.runs.length > 1}>
            <h3>{run.label}</h3>
          </Show>
          <ol class="funnel-rows">
            <For each={run.stages}>
              {(stage, at) => (
                <li>
                  <span class="step-number">{at() + 1}</span>
                  <span class="ellipsis" title={stage.label}>
                    {stage.label}
                  </span>
                  <Show
                    when={props.onOpen}
                    fallback={<span class="number strong">{formatNumber(stage.people)}</span>}
                  >
                    {(open) => (
                      <button
                        type="button"
                        class="funnel-count"
                        onClick={() => open()(series())(at(), 'continued')}
                      >
                        {formatNumber(stage.people)}
                      </button>
                    )}
                  </Show>
                  <span class="number quiet">{writeShare(stage.fromStart)}</span>
                  <span class="funnel-track" aria-hidden="true">
                    <span style={{ '--share': stage.fromStart ?? 0, '--paint': seriesColor(series()) }} />
                  </span>
                  <span class="funnel-note">{noteOf(stage, at())}</span>
                </li>
              )}
            </For>
          </ol>
        </section>
      )}
    </For>
  )
}

function noteOf({ dropped, medianSeconds, fromStartBefore }: FunnelStage, at: number): string {
  const notes = [
    ...(at > 0 ? [t('peopleCharts.droppedCount', { count: formatNumber(dropped) })] : []),
    ...(medianSeconds === undefined
      ? []
      : [t('peopleCharts.median', { time: formatSeconds(medianSeconds) })]),
    ...(fromStartBefore === undefined || at === 0
      ? []
      : [t('peopleCharts.previousShare', { share: formatShare(fromStartBefore) })]),
  ]
  return notes.join(' · ')
}

/** The numbers of a funnel, which its bars show by their heights. */
function FunnelTable(props: {
  readonly run: FunnelRun
  readonly isNamed: boolean
  readonly isCompared: boolean
  readonly counted: Counted
  readonly series: number
}): JSX.Element {
  const heads = (): readonly string[] => [
    t(COUNTED_NAMES[props.counted]),
    t('peopleCharts.fromPrevious'),
    t('peopleCharts.fromStart'),
    ...(props.isCompared ? [t('chart.change')] : []),
    t('peopleCharts.dropped'),
    t('peopleCharts.medianTime'),
    t('peopleCharts.within95'),
  ]
  return (
    <section
      class="table-scroll"
      tabindex="0"
      aria-label={props.isNamed ? props.run.label : t('peopleCharts.steps')}
    >
      <table class="chart-table">
        <thead>
          <tr>
            <th scope="col">
              <Show when={props.isNamed} fallback={t('peopleCharts.step')}>
                <span class="series-mark" style={{ '--paint': seriesColor(props.series) }} />{' '}
                {props.run.label}
              </Show>
            </th>
            <For each={heads()}>
              {(head) => (
                <th scope="col" class="number">
                  {head}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={props.run.stages}>
            {(stage, at) => (
              <tr>
                <th scope="row">
                  <span class="step-number">{at() + 1}</span>
                  {stage.label}
                </th>
                <td class="number strong">{formatNumber(stage.people)}</td>
                <td class="number">{at() === 0 ? NO_VALUE : writeShare(stage.fromPrevious)}</td>
                <td class="number">{writeShare(stage.fromStart)}</td>
                <Show when={props.isCompared}>
                  <td class="number">
                    <ChangeMark change={at() === 0 ? undefined : rateChange(stage)} />
                  </td>
                </Show>
                <td class="number">{at() === 0 ? NO_VALUE : formatNumber(stage.dropped)}</td>
                <td class="number">{formatKnown(stage.medianSeconds, 'seconds')}</td>
                <td class="number">{formatKnown(stage.p95Seconds, 'seconds')}</td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}

function rateChange({ fromStart, fromStartBefore }: FunnelStage) {
  const percentOf = (share: number | undefined) => share && share * 100
  return changeOf(percentOf(fromStart), percentOf(fromStartBefore), { unit: 'percent', good: 'up' })
}

function writeShare(share: number | undefined): string {
  return share === undefined ? NO_VALUE : formatShare(share)
}
