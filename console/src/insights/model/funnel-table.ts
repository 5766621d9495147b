import { durationMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { FunnelOptions } from '@contract/millrace/insights/v1/funnel_options_pb.js'
import type { FunnelSeries } from '@contract/shared/insights/v1/query_result_pb.js'
import { COUNTED_NAMES, countedBy } from '../../charts/funnel-model.ts'
import { eventLabel, seriesLabel } from '../../format/labels.ts'
import { plain, type Table } from '../../format/table.ts'
import { t } from '../../i18n/translate.ts'
import './messages.ts'

/** The numbers of the view that the query names; the people (or sessions) are in the fourth column of each. */
export function funnelTable(series: readonly FunnelSeries[], options: FunnelOptions | undefined): Table {
  const counted = t(COUNTED_NAMES[countedBy(options)])
  if (series.some(({ overTime }) => overTime.length > 0)) return tableOverTime(series)
  return series.some(({ timeToConvert }) => timeToConvert)
    ? tableOfTimes(series, counted)
    : tableOfSteps(series, counted)
}

function tableOfSteps(series: readonly FunnelSeries[], counted: string): Table {
  return {
    columns: [
      ...[t('insights.series'), t('insights.step'), t('insights.event'), counted].map(plain),
      { name: t('insights.conversion'), kind: 'share' },
      plain(t('insights.medianSeconds')),
    ],
    rows: series.flatMap(({ breakdown, steps }) =>
      steps.map((step, index) => [
        seriesLabel({ breakdown }),
        index + 1,
        eventLabel(step.eventKind),
        step.total,
        steps[0] && steps[0].total > 0 ? step.total / steps[0].total : 0,
        step.timing?.median ? durationMs(step.timing.median) / 1000 : '',
      ]),
    ),
  }
}

function tableOverTime(series: readonly FunnelSeries[]): Table {
  return {
    columns: [
      plain(t('insights.series')),
      { name: t('insights.time'), kind: 'instant' },
      ...[t('insights.started'), t('insights.converted')].map(plain),
      { name: t('insights.conversion'), kind: 'share' },
    ],
    rows: series.flatMap(({ breakdown, overTime }) =>
      overTime.map(({ time, started, converted, rate }) => [
        seriesLabel({ breakdown }),
        new Date(time ? timestampMs(time) : 0).toISOString(),
        started,
        converted,
        rate / 100,
      ]),
    ),
  }
}

function tableOfTimes(series: readonly FunnelSeries[], counted: string): Table {
  const secondsOf = (duration: Parameters<typeof durationMs>[0] | undefined): number =>
    duration ? durationMs(duration) / 1000 : 0
  return {
    columns: [t('insights.series'), t('insights.fromSeconds'), t('insights.toSeconds'), counted].map(plain),
    rows: series.flatMap(({ breakdown, timeToConvert }) =>
      (timeToConvert?.bins ?? []).map(({ from, to, count }) => [
        seriesLabel({ breakdown }),
        secondsOf(from),
        secondsOf(to),
        Number(count),
      ]),
    ),
  }
}
