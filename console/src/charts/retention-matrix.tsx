import type { RetentionCohort, RetentionResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { For, type JSX, Show, untrack } from 'solid-js'
import { seriesLabel } from '../format/labels.ts'
import { formatDay, formatNumber, formatShare } from '../format/values.ts'
import { growInTurns, InTurn } from '../ui/in-turn.tsx'
import type { ChartProps } from './chart.ts'
import { heatOf } from './palette.ts'

/** Approximate height of a row: a matrix that is drawn later must not move what is below it. */
const ROW_REM = 1.9

/** A slow machine draws this many in a frame or two. */
const CELLS_PER_TURN = 600

/** Cohorts by period. Each cell holds its number, so that colour is not the only cue. */
export function RetentionMatrix(props: ChartProps<RetentionResult>): JSX.Element {
  return (
    <For each={props.result.series}>
      {({ breakdown, cohorts }) => (
        <section>
          <Show when={Object.keys(breakdown).length > 0}>
            <h3>{seriesLabel({ breakdown })}</h3>
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
              People
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
