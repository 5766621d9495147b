import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { QueryOverviewResponse, WebPoint } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import type { ChartSeries } from '@domain/charts/time-model.ts'
import { type JSX, Show, Suspense } from 'solid-js'
import { type MessageKey, t } from '../../i18n/translate.ts'
import { Select } from '../../ui/combobox.tsx'
import { lazy } from '../../ui/lazy.ts'
import { writeDays } from '../../ui/period-labels.ts'
import { explainLeftOut, importedValues } from './imported.ts'
import { METRICS, type MetricName } from './metrics.ts'
import { useView } from './overview-view.ts'
import type { Interval } from './view-state.ts'

const TimeSeries = lazy(async () => ({ default: (await import('../../charts/time-series.tsx')).TimeSeries }))

const HEIGHT_PX = 250
const PHONE_HEIGHT_PX = 168

const phones = matchMedia('(max-width: 767px)')

const INTERVAL_NAMES = {
  hour: 'overview.intervalHour',
  day: 'overview.intervalDay',
  week: 'overview.intervalWeek',
  month: 'overview.intervalMonth',
} as const satisfies Record<Interval, MessageKey>

const SO_FAR = {
  hour: 'chart.hourSoFar',
  day: 'chart.daySoFar',
  week: 'chart.weekSoFar',
  month: 'chart.monthSoFar',
} as const satisfies Record<Interval, MessageKey>

function valuesOf(points: readonly WebPoint[], metric: MetricName): readonly number[] {
  return points.map(({ metrics }) => (metrics ? METRICS[metric].read(metrics) : 0))
}

/** The chosen measure over time, with the range that it is compared with. */
export function OverviewChart(props: { readonly answer: QueryOverviewResponse | undefined }): JSX.Element {
  const view = useView()
  const heightPx = phones.matches ? PHONE_HEIGHT_PX : HEIGHT_PX
  const metric = (): MetricName => view.state().metric
  const name = (): string => t(METRICS[metric()].name)
  const compared = (): string | undefined => {
    const { comparedDays, shift } = view.asked()
    const days = comparedDays && writeDays(comparedDays, view.asOf().today)
    return shift?.isByWeeks && days !== undefined ? t('overview.weekdaysMatched', { days }) : days
  }
  const imported = () => props.answer && importedValues(props.answer, metric())
  const series = (answer: QueryOverviewResponse): readonly ChartSeries[] => {
    const own = { label: name(), values: valuesOf(answer.points, metric()) }
    const values = imported()
    return values ? [own, { label: t('overview.imported'), values }] : [own]
  }
  // A range that ends now has a last bucket that is not over.
  const soFar = (): string | undefined => {
    const { range, interval } = view.asked()
    return range.toMs === view.asOf().nowMs ? t(SO_FAR[interval]) : undefined
  }
  return (
    <section class="overview-chart" aria-label={t('overview.chart')}>
      <header class="overview-legend">
        <Show when={!view.isWaiting()}>
          <span class="legend-entry" data-line="now">
            {writeDays(view.asked().days, view.asOf().today)}
          </span>
        </Show>
        <Show when={imported()}>
          <span class="legend-entry" data-line="imported" data-tip={t('overview.importedMeaning')}>
            {t('overview.imported')}
          </span>
        </Show>
        <Show when={!view.isWaiting() && !imported() && compared()}>
          {(days) => (
            <span class="legend-entry" data-line="before">
              {days()}
            </span>
          )}
        </Show>
        <Show when={soFar()}>
          {(name) => (
            <span class="legend-entry" data-line="so-far">
              {name()}
            </span>
          )}
        </Show>
        <Show when={view.asked().intervals.length > 1}>
          <div class="overview-interval">
            <Select
              label={t('overview.interval')}
              labelDisplay="hidden"
              options={view.asked().intervals.map((value) => ({ value, label: t(INTERVAL_NAMES[value]) }))}
              value={view.asked().interval}
              onChange={(interval) => view.change({ interval })}
            />
          </div>
        </Show>
      </header>
      <Show when={explainLeftOut(props.answer)}>{(text) => <p class="overview-imported">{text()}</p>}</Show>
      <div class="overview-plot" style={{ height: `${heightPx}px` }}>
        <Show when={props.answer}>
          {(answer) => (
            <Suspense>
              <TimeSeries
                times={answer().points.map(({ time }) => (time ? timestampMs(time) : 0))}
                series={series(answer())}
                previousTimes={answer().comparisonPoints.map(({ time }) => (time ? timestampMs(time) : 0))}
                previous={previousOf(answer(), { metric: metric(), label: name() })}
                style="area"
                timeZone={view.asOf().timeZone}
                unit={METRICS[metric()].unit}
                legend="hidden"
                height={heightPx}
              />
            </Suspense>
          )}
        </Show>
      </div>
    </section>
  )
}

/** The values of the compared range at the times of their counterparts; a bucket too many is not drawn. */
function previousOf(
  { points, comparisonPoints }: QueryOverviewResponse,
  { metric, label }: { readonly metric: MetricName; readonly label: string },
): readonly { readonly label: string; readonly values: readonly number[] }[] {
  if (comparisonPoints.length === 0) return []
  const values = valuesOf(comparisonPoints, metric)
  return [{ label, values: points.map((_, at) => values[at] ?? 0) }]
}
