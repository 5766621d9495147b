import './messages.ts'
import { durationMs } from '@bufbuild/protobuf/wkt'
import type { FunnelSeries } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { seriesLabel } from '../format/labels.ts'
import { formatNumber, formatSeconds, formatShare, formatShortSeconds } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { seriesColor } from './palette.ts'

type Duration = Parameters<typeof durationMs>[0]

/** A histogram of the times from one step to another, for each breakdown value. */
export function FunnelTimes(props: { readonly series: readonly FunnelSeries[] }): JSX.Element {
  return (
    <For each={props.series}>
      {({ breakdown, timeToConvert }, at) => (
        <section class="funnel-run">
          <Show when={props.series.length > 1}>
            <h3>{seriesLabel({ breakdown })}</h3>
          </Show>
          <Show when={timeToConvert}>
            {(times) => (
              <>
                <dl class="funnel-averages">
                  <Figure
                    name={t('peopleCharts.medianTime')}
                    value={formatSeconds(secondsOf(times().median))}
                  />
                  <Figure name={t('peopleCharts.average')} value={formatSeconds(secondsOf(times().avg))} />
                  <Figure name={t('peopleCharts.within95')} value={formatSeconds(secondsOf(times().p95))} />
                </dl>
                <Histogram
                  bins={times().bins.map(({ from, to, count }) => ({
                    from: secondsOf(from),
                    to: secondsOf(to),
                    count: Number(count),
                  }))}
                  total={times().users}
                  color={seriesColor(at())}
                />
              </>
            )}
          </Show>
        </section>
      )}
    </For>
  )
}

function secondsOf(duration: Duration | undefined): number {
  return duration ? durationMs(duration) / 1000 : 0
}

function Figure(props: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}

interface Bin {
  /** In seconds. */
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Histograms of more bars have no room for the numbers above them. */
const NUMBERED_MAX = 12

/** Bars of one width above an axis of times; their numbers are in their labels too. */
function Histogram(props: {
  readonly bins: readonly Bin[]
  readonly total: number
  readonly color: string
}): JSX.Element {
  const highest = (): number => Math.max(1, ...props.bins.map(({ count }) => count))
  const isNumbered = (): boolean => props.bins.length <= NUMBERED_MAX
  return (
    <div class="funnel-times">
      <ul class="funnel-histogram">
        <For each={props.bins}>
          {(bin) => (
            <li data-tip={nameBin(bin)} style={{ '--share': bin.count / highest(), '--paint': props.color }}>
              <Show when={isNumbered()}>
                <span class="funnel-bin-count" aria-hidden="true">
                  {formatNumber(bin.count)}
                </span>
              </Show>
              <span class="visually-hidden">
                {`${nameBin(bin)}, ${formatShare(props.total > 0 ? bin.count / props.total : 0)}`}
              </span>
            </li>
          )}
        </For>
      </ul>
      <div class="funnel-times-axis" aria-hidden="true">
        <For each={axisOf(props.bins)}>{(seconds) => <span>{formatShortSeconds(seconds)}</span>}</For>
      </div>
    </div>
  )
}

function nameBin({ from, to, count }: Bin): string {
  const times = { from: formatSeconds(from), to: formatSeconds(to) }
  return `${t('insights.timeBetween', times)}: ${formatNumber(count)}`
}

/** The least, the middle and the greatest time; one where these are equal. */
function axisOf(bins: readonly Bin[]): readonly number[] {
  const [from = 0, to = 0] = [bins[0]?.from, bins.at(-1)?.to]
  return from === to ? [from] : [from, (from + to) / 2, to]
}
