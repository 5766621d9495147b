import type { Chart, Series } from '../plot/chart.ts'
import type { SizeFigures } from './growth-table.ts'

/** A chart and the name of its file. */
export interface NamedChart {
  readonly file: string
  readonly chart: Chart
}

/** Figures that share a chart, each under a short name. */
interface ChartPlan {
  readonly file: string
  readonly title: string
  readonly yLabel: string
  readonly kind: Chart['kind']
  /** Figures of the whole are divided by the size: a line that does not rise grows no faster than the events. */
  readonly isDivided: boolean
  readonly series: Readonly<Record<string, string>>
}

const PLANS: readonly ChartPlan[] = [
  {
    file: 'growth-questions.svg',
    title: 'CPU time of a question for each million events',
    yLabel: 'ms of CPU per million events',
    kind: 'lines',
    isDivided: true,
    series: {
      trend: 'trend: page views by day',
      users: 'trend: users by day',
      funnel: 'funnel of three steps',
      retention: 'retention by day',
      'user flow': 'user flow',
    },
  },
  {
    file: 'growth-work.svg',
    title: 'CPU time of other work for each million events',
    yLabel: 'seconds of CPU per million events',
    kind: 'lines',
    isDivided: true,
    series: {
      'erasure of a person': 'erasure of a person',
      backup: 'backup',
      start: 'start and four seconds',
    },
  },
  {
    file: 'growth-disk.svg',
    title: 'Bytes of an event on the disk, by table',
    yLabel: 'bytes per event',
    kind: 'stacked bars',
    isDivided: false,
    series: {
      events: 'disk: events',
      visits: 'disk: visits',
      sessions: 'disk: sessions',
      users: 'disk: users',
      others: 'disk: other tables',
    },
  },
]

/** The charts of docs/growth.md, of the figures by millions of events. */
export function toCharts(sizes: readonly SizeFigures[]): readonly NamedChart[] {
  return PLANS.map(({ file, title, yLabel, kind, isDivided, series }) => ({
    file,
    chart: {
      ...{ title, yLabel, kind },
      xLabel: 'million events',
      categories: sizes.map(({ size }) => String(size)),
      series: Object.entries(series).map(
        ([name, figure]): Series => ({
          name,
          values: sizes.map(({ size, figures }) => {
            const value = figures.find((candidate) => candidate.name === figure)?.value ?? 0
            return isDivided ? value / size : value
          }),
        }),
      ),
    },
  }))
}
