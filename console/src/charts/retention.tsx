import './messages.ts'
import './retention.css'
import type { RetentionOptions_Periods } from '@contract/millrace/insights/v1/retention_options_pb.js'
import type { RetentionCohort, RetentionResult } from '@contract/shared/insights/v1/query_result_pb.js'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { seriesLabel } from '../format/labels.ts'
import { formatShare, NO_VALUE } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { InTurn } from '../ui/in-turn.tsx'
import { createBoxSize } from './box-size.ts'
import { namePeriod } from './buckets.ts'
import type { ChartProps } from './chart.ts'
import { RetentionCurve } from './retention-curve.tsx'
import { HEAD_WIDTH, RetentionHeat } from './retention-heat.tsx'
import { type RetentionModel, retentionModel } from './retention-model.ts'

/** The height of a row: a heat map that is drawn later must not move what is below it. */
const ROW = 35
const CELL_MIN = 60
const CELL_MAX = 84

// As a number: a page without queries loads none of their messages.
const ELAPSED: RetentionOptions_Periods.ELAPSED = 1

type RetentionProps = ChartProps<RetentionResult>

/** Cohorts by period, with the curve of their average above where there is room. */
export function RetentionChart(props: RetentionProps): JSX.Element {
  return (
    <For each={props.result.series}>
      {({ breakdown, cohorts }, at) => (
        <section class="retention-run">
          <Show when={Object.keys(breakdown).length > 0}>
            <h3>{seriesLabel({ breakdown })}</h3>
          </Show>
          <InTurn start="in view" fallback={<Placeholder rows={cohorts.length} />}>
            <Run {...props} cohorts={cohorts} series={at()} />
          </InTurn>
        </section>
      )}
    </For>
  )
}

function Placeholder(props: { readonly rows: number }): JSX.Element {
  return <div style={{ height: `${(props.rows + 2) * ROW}px` }} aria-busy="true" />
}

function Run(
  props: RetentionProps & { readonly cohorts: readonly RetentionCohort[]; readonly series: number },
): JSX.Element {
  let box: HTMLDivElement | undefined
  const size = createBoxSize(() => box)
  const width = (): number => size().width
  const model = createMemo(() =>
    retentionModel(props.cohorts, {
      nowMs: Date.now(),
      timeZone: props.timeZone,
      isElapsed: props.spec?.retention?.periods === ELAPSED,
    }),
  )
  const cell = (): number => cellWidth(width(), model())
  const hasCurve = (): boolean => props.height !== undefined && model().averages.length > 1
  const opened = () =>
    props.opened?.kind === 'cell' && props.opened.series === props.series ? props.opened : undefined
  const open = (cohort: string, period: number): void =>
    props.onOpen?.({ kind: 'cell', series: props.series, cohort, period })
  return (
    <div class="retention" ref={box}>
      <section
        class="table-scroll retention-scroll"
        tabindex="0"
        aria-label={t('peopleCharts.retentionByCohort')}
        style={{
          '--cell': `${cell()}px`,
          '--head': `${HEAD_WIDTH}px`,
          'min-height': `${(props.cohorts.length + 2) * ROW}px`,
        }}
      >
        <Show when={hasCurve()}>
          <div class="retention-top">
            <Averages model={model()} />
            <RetentionCurve model={model()} cell={cell()} />
          </div>
        </Show>
        <RetentionHeat
          model={model()}
          timeZone={props.timeZone}
          onOpen={props.onOpen && open}
          opened={opened()}
        />
      </section>
      <Show when={model().hasIncomplete && props.height !== undefined}>
        <p class="retention-note">
          <span class="retention-hatch" aria-hidden="true" />
          {t('peopleCharts.notCompleteText')}
        </p>
      </Show>
    </div>
  )
}

function cellWidth(boxWidth: number, { averages }: RetentionModel): number {
  const room = Math.floor((boxWidth - HEAD_WIDTH) / Math.max(1, averages.length))
  return Math.max(CELL_MIN, Math.min(CELL_MAX, room))
}

/** Periods whose averages stand beside the curve. */
const SHOWN_PERIODS = [1, 4, 8] as const

function Averages(props: { readonly model: RetentionModel }): JSX.Element {
  const shown = () => SHOWN_PERIODS.filter((period) => props.model.averages[period] !== undefined)
  return (
    <dl class="retention-averages">
      <For each={shown()}>
        {(period) => (
          <div>
            <dt>{namePeriod(props.model.width, period)}</dt>
            <dd>{writePercent(props.model.averages[period])}</dd>
          </div>
        )}
      </For>
    </dl>
  )
}

function writePercent(percent: number | undefined): string {
  return percent === undefined ? NO_VALUE : formatShare(percent / 100)
}
