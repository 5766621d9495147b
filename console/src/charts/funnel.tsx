import { durationMs } from '@bufbuild/protobuf/wkt'
import type { FunnelResult, FunnelStep } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { eventLabel, seriesLabel } from '../format/labels.ts'
import { formatNumber, formatSeconds, formatShare } from '../format/values.ts'
import type { ChartProps } from './chart.ts'
import { BarRow } from './ranked-bars.tsx'

/** The steps of a funnel with their conversion rates and times. */
export function FunnelChart(props: ChartProps<FunnelResult>): JSX.Element {
  const previousSteps = (label: string): readonly FunnelStep[] | undefined =>
    props.previous?.series.find((other) => seriesLabel(other) === label)?.steps
  return (
    <For each={props.result.series}>
      {({ breakdown, steps }) => (
        <section>
          <Show when={Object.keys(breakdown).length > 0}>
            <h3>{seriesLabel({ breakdown })}</h3>
          </Show>
          <ol class="bars">
            <For each={steps}>
              {(step, index) => (
                <BarRow
                  label={`${index() + 1}. ${eventLabel(step.eventKind)}`}
                  share={shareOf(step, steps[0])}
                  value={`${formatNumber(step.total)} · ${formatShare(shareOf(step, steps[0]))}`}
                  note={noteOf(step, { index: index(), previous: previousSteps(seriesLabel({ breakdown })) })}
                />
              )}
            </For>
          </ol>
        </section>
      )}
    </For>
  )
}

function shareOf(step: FunnelStep, first: FunnelStep | undefined): number {
  return first && first.total > 0 ? step.total / first.total : 0
}

/** The time that a step took, and its conversion rate in the previous period. */
function noteOf(
  { timing, total }: FunnelStep,
  { index, previous }: { readonly index: number; readonly previous: readonly FunnelStep[] | undefined },
): string | undefined {
  const step = previous?.[index]
  const notes = [
    ...(timing && total > 0 ? [describeTiming(timing)] : []),
    ...(step ? [`previous period ${formatShare(shareOf(step, previous?.[0]))}`] : []),
  ]
  return notes.length > 0 ? notes.join(' · ') : undefined
}

function describeTiming({ median, p95 }: NonNullable<FunnelStep['timing']>): string {
  const [half, most] = [median, p95].map((time) => formatSeconds(time ? durationMs(time) / 1000 : 0))
  return `Median ${half}, 95% within ${most}`
}
