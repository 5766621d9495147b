import { type JSX, Show } from 'solid-js'
import { formatNumber } from '../format/values.ts'
import { costOf, type QueryCost } from '../rpc/query-cost.ts'

/** The cost of an answer: events read and time. */
export function CostLine(props: { readonly answer: object }): JSX.Element {
  return (
    <Show when={costOf(props.answer)}>
      {(cost) => <p class="quiet small cost">{describeCost(cost())}</p>}
    </Show>
  )
}

function describeCost({ rows, milliseconds, source }: QueryCost): string {
  const cached = source === 'miss' ? '' : ', cached'
  return `${formatNumber(rows)} events in ${formatNumber(milliseconds / 1000)} s${cached}`
}
