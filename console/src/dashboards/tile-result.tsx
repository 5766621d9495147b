import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import { type JSX, Match, Show, Suspense, Switch } from 'solid-js'
import { ChangeMark } from '../charts/change-mark.tsx'
import type { ChartOptions, View } from '../charts/chart.ts'
import { conversionOf } from '../charts/funnel-model.ts'
import { changeOf, type GoodDirection } from '../format/change.ts'
import { formatValue, type Unit } from '../format/unit.ts'
import { t } from '../i18n/translate.ts'
import { Answer } from '../insights/answer.tsx'
import { chartOptionsOf } from '../insights/chart-options.ts'
import { followInTurn, InTurn } from '../ui/in-turn.tsx'
import { ErrorState } from '../ui/states.tsx'
import { TileSkeleton } from './tile.tsx'
import type { ShownAnswer, TileAnswer } from './tile-answer.ts'
import { specOfTile, viewOfAnswer } from './tile-view.ts'

/** Views of one series over time that leave room for its value. */
const TIMED_VIEWS: readonly View[] = ['line', 'area', 'bars', 'grouped']

/** The number at the head of a tile. */
interface HeadNumber extends SeriesTotal {
  readonly unit: Unit
  readonly good: GoodDirection
  /** What the number is, where the subtitle of the tile does not name it. */
  readonly label?: string
}

/** The view of an answered tile. */
export function viewOfTile(tile: DashboardTile, { result }: TileAnswer): View {
  return viewOfAnswer(result, { mode: tile.viewMode, spec: specOfTile(tile) })
}

/** The answer of a tile, what loads in its place, or why there is none. */
export function TileResult(props: {
  readonly tile: DashboardTile
  readonly shown: ShownAnswer
  readonly timeZone: string
  /** The period of the dashed line. */
  readonly comparedTo?: 'previous' | 'year'
}): JSX.Element {
  return (
    <Switch fallback={<TileSkeleton tile={props.tile} />}>
      <Match when={props.shown.failure()}>
        {(failure) => (
          <ErrorState title={t('dashboards.tileFailed')} error={failure()} onRetry={props.shown.retry} />
        )}
      </Match>
      <Match when={props.shown.answer()}>
        {(answer) => (
          <InTurn start="at once" fallback={<TileSkeleton tile={props.tile} />}>
            <Drawn
              tile={props.tile}
              answer={answer()}
              timeZone={props.timeZone}
              comparedTo={props.comparedTo ?? 'previous'}
            />
          </InTurn>
        )}
      </Match>
    </Switch>
  )
}

function Drawn(props: {
  readonly tile: DashboardTile
  readonly answer: TileAnswer
  readonly timeZone: string
  readonly comparedTo: 'previous' | 'year'
}): JSX.Element {
  // Answers that were read before arrive in all tiles at once, for example when a comparison ends.
  const answer = followInTurn(() => props.answer)
  const view = (): View => viewOfTile(props.tile, answer())
  const total = (): SeriesTotal | undefined => {
    const { result, totals = [] } = answer()
    const isOne = result.case === 'trends' && totals.length === 1 && TIMED_VIEWS.includes(view())
    return isOne && totals[0]?.value !== undefined ? totals[0] : undefined
  }
  const head = (): HeadNumber | undefined => {
    const one = total()
    if (one) return { ...one, unit: options().unit, good: options().good }
    const rate = view() === 'chart' ? conversionOf(answer(), specOfTile(props.tile)) : undefined
    return rate && { ...rate, unit: 'percent', good: 'up', label: t('insights.conversion') }
  }
  const options = (): ChartOptions => {
    const { visualization, thresholds } = props.tile
    const made = chartOptionsOf(specOfTile(props.tile), { rules: thresholds, options: visualization })
    // The value above a chart of one series replaces its legend.
    const isNamed = total() !== undefined && !visualization?.legendPosition
    return isNamed ? { ...made, legend: 'hidden' } : made
  }
  return (
    <Suspense fallback={<TileSkeleton tile={props.tile} />}>
      <Show when={head()}>
        {(one) => <TileHead number={one()} comparedTo={answer().previous && props.comparedTo} />}
      </Show>
      <Answer
        asked={answer().request}
        name={props.tile.id}
        result={answer().result}
        previous={answer().previous}
        totals={answer().totals}
        spec={specOfTile(props.tile)}
        view={view()}
        timeZone={props.timeZone}
        options={options()}
      />
    </Suspense>
  )
}

/** The value of the only series over the range or the rate of a funnel, its change, and what the dashed line is. */
function TileHead(props: {
  readonly number: HeadNumber
  readonly comparedTo: 'previous' | 'year' | undefined
}): JSX.Element {
  return (
    <p class="tile-total">
      <span class="tile-value">{formatValue(props.number.value ?? 0, props.number.unit)}</span>
      <Show when={props.number.previous !== undefined}>
        <ChangeMark change={changeOf(props.number.value, props.number.previous, props.number)} />
      </Show>
      <Show when={props.number.label}>{(label) => <span class="tile-label">{label()}</span>}</Show>
      <Show when={props.comparedTo}>
        {(to) => (
          <span class="tile-previous">
            {t(to() === 'year' ? 'dashboards.compareYear' : 'dashboards.comparePrevious')}
          </span>
        )}
      </Show>
    </p>
  )
}
