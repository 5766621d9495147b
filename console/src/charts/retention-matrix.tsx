import type { RetentionCohort, RetentionResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, Show, untrack } from 'solid-js'
import { formatDay, formatNumber, formatShare } from '../app/format.ts'
import { labelOf } from '../insight/table.ts'
import { growInTurns, InTurn } from '../ui/in-turn.tsx'
import { heatOf } from './palette.ts'

/** Height of a row, nearly: what comes must not push what is below. */
const ROW_REM = 1.9

/** What a slow machine draws in a frame or two. */
const CELLS_PER_TURN = 600

/** Cohorts by period; the stronger the colour, the more came back. The number is in each cell, so colour is not all. */
export function RetentionMatrix(props: {
  readonly retention: RetentionResult
  readonly timeZone: string
}): JSX.Element {
  return (
    <For each={props.retention.series}>
      {({ breakdown, cohorts }) => (
        <section>
          <Show when={Object.keys(breakdown).length > 0}>
            <h3>{labelOf({ breakdown })}</h3>
          </Show>
          <InTurn start="in view" fallback={<div style={{ height: heightOf(cohorts) }} aria-busy="true" />}>
            <Matrix cohorts={cohorts} timeZone={props.timeZone} />
          </InTurn>
        </section>
      )}
    </For>
  )
}

function heightOf(cohorts: readonly RetentionCohort[]): string {
  return `${(cohorts.length + 1) * ROW_REM}rem`
}

function Matrix(props: {
  readonly cohorts: readonly RetentionCohort[]
  readonly timeZone: string
}): JSX.Element {
  const periods = (): number => Math.max(0, ...props.cohorts.map(({ points }) => points.length))
  const rows = growInTurns(
    () => props.cohorts,
    untrack(() => Math.ceil(CELLS_PER_TURN / Math.max(1, periods()))),
  )
  return (
    <section
      class="table-scroll"
      tabindex="0"
      aria-label="Retention by cohort"
      style={{ 'min-height': heightOf(props.cohorts) }}
    >
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Cohort</th>
            <th scope="col" class="number">
              Users
            </th>
            <For each={Array.from({ length: periods() })}>
              {(_, period) => <th scope="col">{period()}</th>}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={rows()}>
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
  )
}
