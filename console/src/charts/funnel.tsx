import { durationMs } from '@bufbuild/protobuf/wkt'
import type { FunnelResult, FunnelStep } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { formatNumber, formatSeconds, formatShare } from '../app/format.ts'
import { labelOf } from '../insight/table.ts'
import { BarRow } from './ranked-bars.tsx'

/** Steps with the share of those who reached them, and how long it took. */
export function Funnel(props: {
  readonly funnel: FunnelResult
  /** The same in the time before. */
  readonly before: FunnelResult | undefined
}): JSX.Element {
  const stepsBefore = (label: string): readonly FunnelStep[] | undefined =>
    props.before?.series.find((other) => labelOf(other) === label)?.steps
  return (
    <For each={props.funnel.series}>
      {({ breakdown, steps }) => (
        <section>
          <Show when={Object.keys(breakdown).length > 0}>
            <h3>{labelOf({ breakdown })}</h3>
          </Show>
          <ol class="bars">
            <For each={steps}>
              {(step, index) => (
                <BarRow
                  label={`${index() + 1}. ${step.eventKind === '' ? 'Any event' : step.eventKind}`}
                  share={shareOf(step, steps[0])}
                  value={`${formatNumber(step.total)} · ${formatShare(shareOf(step, steps[0]))}`}
                  note={noteOf(step, { index: index(), before: stepsBefore(labelOf({ breakdown })) })}
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

/** How long a step took, and the share that reached it in the time before. */
function noteOf(
  { timing, total }: FunnelStep,
  { index, before }: { readonly index: number; readonly before: readonly FunnelStep[] | undefined },
): string | undefined {
  const was = before?.[index]
  const notes = [
    ...(timing && total > 0 ? [timeOf(timing)] : []),
    ...(was ? [`${formatShare(shareOf(was, before?.[0]))} before`] : []),
  ]
  return notes.length > 0 ? notes.join(' · ') : undefined
}

function timeOf({ median, p95 }: NonNullable<FunnelStep['timing']>): string {
  const [half, most] = [median, p95].map((time) => formatSeconds(time ? durationMs(time) / 1000 : 0))
  return `half within ${half}, 95 % within ${most}`
}
