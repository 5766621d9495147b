import { durationMs } from '@bufbuild/protobuf/wkt'
import type { FunnelResult, FunnelStep } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { formatNumber, formatSeconds, formatShare } from '../app/format.ts'
import { labelOf } from '../insight/table.ts'
import { BarRow } from './ranked-bars.tsx'

/** Steps with the share of those who reached them, and how long it took. */
export function Funnel(props: { readonly funnel: FunnelResult }): JSX.Element {
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
                  note={noteOf(step)}
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

function noteOf({ timing, total }: FunnelStep): string | undefined {
  if (!timing || total === 0) return undefined
  const [median, p95] = [timing.median, timing.p95].map((time) => (time ? durationMs(time) / 1000 : 0))
  return `half within ${formatSeconds(median ?? 0)}, 95 % within ${formatSeconds(p95 ?? 0)}`
}
