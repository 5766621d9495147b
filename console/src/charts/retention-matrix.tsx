import type { RetentionResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { formatDay, formatNumber, formatShare } from '../app/format.ts'
import { labelOf } from '../insight/table.ts'
import { heatOf } from './palette.ts'

/** Cohorts by period; the stronger the colour, the more came back. The number is in each cell, so colour is not all. */
export function RetentionMatrix(props: {
  readonly retention: RetentionResult
  readonly timeZone: string
}): JSX.Element {
  return (
    <For each={props.retention.series}>
      {({ breakdown, cohorts }) => {
        const periods = Math.max(0, ...cohorts.map(({ points }) => points.length))
        return (
          <section>
            <Show when={Object.keys(breakdown).length > 0}>
              <h3>{labelOf({ breakdown })}</h3>
            </Show>
            <section class="table-scroll" tabindex="0" aria-label="Retention by cohort">
              <table class="matrix">
                <thead>
                  <tr>
                    <th scope="col">Cohort</th>
                    <th scope="col" class="number">
                      Users
                    </th>
                    <For each={Array.from({ length: periods })}>
                      {(_, period) => <th scope="col">{period()}</th>}
                    </For>
                  </tr>
                </thead>
                <tbody>
                  <For each={cohorts}>
                    {({ cohort, cohortSize, points }) => (
                      <tr>
                        <th scope="row">{formatDay(Date.parse(cohort), props.timeZone)}</th>
                        <td class="number">{formatNumber(cohortSize)}</td>
                        <For each={points}>
                          {({ value }) => (
                            <td class="cell" style={{ background: heatOf(value / 100) }}>
                              {formatShare(value / 100)}
                            </td>
                          )}
                        </For>
                      </tr>
                    )}
                  </For>
                </tbody>
              </table>
            </section>
          </section>
        )
      }}
    </For>
  )
}
