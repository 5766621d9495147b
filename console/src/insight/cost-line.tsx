import { type JSX, Show } from 'solid-js'
import { formatBytes, formatCompact, formatNumber } from '../app/format.ts'
import { costOf } from '../rpc/query-cost.ts'

/** What an answer cost the store: rows, bytes, time. */
export function CostLine(props: { readonly answer: object }): JSX.Element {
  return (
    <Show when={costOf(props.answer)}>
      {(cost) => (
        <p class="quiet small cost">
          {`${formatCompact(cost().rows)} rows, ${formatBytes(cost().bytes)}, ${formatNumber(Math.round(cost().milliseconds))} ms`}
          {cost().source === 'miss' ? '' : ' (answered a moment ago)'}
        </p>
      )}
    </Show>
  )
}
