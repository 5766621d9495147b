import type { Chart, Series } from '../plot/chart.ts'
import type { Size } from './growth-plan.ts'
import type { SizeFigures } from './growth-table.ts'

/** A chart and the name of its file. */
export interface NamedChart {
  readonly file: string
  readonly chart: Chart
}

/** Figures that share a chart, each under a short name. */
interface ChartPlan {
  readonly file: string
  readonly axis: Size['axis']
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
    axis: 'events',
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
    axis: 'events',
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
    axis: 'events',
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
  {
    file: 'growth-projects-ingestion.svg',
    axis: 'projects',
    title: 'CPU time of an event, by number of projects',
    yLabel: 'µs of CPU per event',
    kind: 'stacked bars',
    isDivided: false,
    series: { edge: 'ingestion: edge', store: 'ingestion: store' },
  },
  {
    file: 'growth-projects-disk.svg',
    axis: 'projects',
    title: 'Bytes of an event on the disk, by number of projects',
    yLabel: 'bytes per event',
    kind: 'stacked bars',
    isDivided: false,
    series: {
      events: 'disk: events',
      visits: 'disk: visits',
      'names of a day': 'disk: name_days',
      sessions: 'disk: sessions',
      users: 'disk: users',
    },
  },
]

const X_LABELS = { events: 'million events', projects: 'projects' } as const satisfies Record<
  Size['axis'],
  string
>

/** The charts of docs/growth.md, of the figures by each axis; none of an axis that was not measured. */
export function toCharts(
  measured: Readonly<Record<Size['axis'], readonly SizeFigures[]>>,
): readonly NamedChart[] {
  return PLANS.filter(({ axis }) => measured[axis].length > 0).map((plan) => ({
    file: plan.file,
    chart: toChart(plan, measured[plan.axis]),
  }))
}

function toChart(plan: ChartPlan, sizes: readonly SizeFigures[]): Chart {
  const { axis, title, yLabel, kind, isDivided, series } = plan
  return {
    ...{ title, yLabel, kind },
    xLabel: X_LABELS[axis],
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
  }
}
