import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { type Chart, renderChart } from '../plot/chart.ts'
import type { LoadShape } from './load-command.ts'
import type { Measured } from './measure-load.ts'
import type { SweepPoint } from './run-sweep.ts'
import { SWEEPS, type SweepName } from './sweeps.ts'

/** The roles in the order of charts; the supervisor only waits. */
const ROLES = ['edge', 'store', 'query'] as const

/** A load in some lines of text. */
export function renderLoad({ result, cpuMicros }: Measured): string {
  const { latency, answers, errors, timeouts } = result
  const latencies = Object.entries(latency).map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
  const byAnswer = Object.entries(answers).map(
    ([answer, count]) => `${answer}: ${count.toLocaleString('en')}`,
  )
  const cpu = Object.entries(cpuMicros).map(([role, micros]) => `${role} ${micros.toFixed(2)}`)
  const lines = [
    [
      'events/s',
      `${Math.round(result.eventsPerSecond).toLocaleString('en')} (${result.events.toLocaleString('en')} in ${result.seconds.toFixed(1)} s)`,
    ],
    ['latency, ms', latencies.join(' · ')],
    ['answers', byAnswer.join(' · ') || 'none'],
    ['errors', `${errors} · timeouts ${timeouts}`],
    ...(cpu.length === 0 ? [] : [['CPU, µs/event', cpu.join(' · ')]]),
  ]
  return lines.map(([name = '', text = '']) => `${name.padEnd(14)} ${text}\n`).join('')
}

/** A sweep as a table: the ratio is the speed to that of the first value. */
export function renderSweep(sweep: SweepName, points: readonly SweepPoint[]): string {
  const heading = [
    SWEEPS[sweep].setting,
    'events/s',
    'ratio',
    'p50 ms',
    'p99 ms',
    'edge µs',
    'store µs',
    'settle s',
    'fresh ms',
  ]
  const first = points[0]?.measured.result.eventsPerSecond ?? 1
  const rows = points.map(({ value, measured: { result, cpuMicros, settleSeconds }, freshMs }) => [
    value,
    Math.round(result.eventsPerSecond).toLocaleString('en'),
    (result.eventsPerSecond / first).toFixed(2),
    result.latency.p50.toFixed(1),
    result.latency.p99.toFixed(1),
    (cpuMicros.edge ?? 0).toFixed(2),
    (cpuMicros.store ?? 0).toFixed(2),
    settleSeconds.toFixed(1),
    Math.round(freshMs).toLocaleString('en'),
  ])
  const table = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map((row) => `${row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')}\n`)
    .join('')
}

/** The charts of a load, by file name. */
export function chartsOfLoad({ result }: Measured): Readonly<Record<string, Chart>> {
  const { max, ...percentiles } = result.latency
  return {
    throughput: {
      title: 'Acknowledged events',
      xLabel: 'second',
      yLabel: 'events/s',
      kind: 'lines',
      categories: result.eachSecond.map((_, second) => String(second + 1)),
      series: [{ name: 'events/s', values: result.eachSecond }],
    },
    latency: {
      title: 'Latency of a batch',
      xLabel: 'percentile',
      yLabel: 'ms',
      kind: 'bars',
      categories: [...Object.keys(percentiles), 'max'],
      series: [{ name: 'ms', values: [...Object.values(percentiles), max] }],
    },
  }
}

/** The charts of a sweep, by file name. */
export function chartsOfSweep(
  sweep: SweepName,
  points: readonly SweepPoint[],
): Readonly<Record<string, Chart>> {
  const { setting } = SWEEPS[sweep]
  const common = { xLabel: setting, categories: points.map(({ value }) => value) }
  const valuesOf = (read: (point: SweepPoint) => number): readonly number[] => points.map(read)
  return {
    throughput: {
      ...common,
      title: `Events per second by ${setting}`,
      yLabel: 'events/s',
      kind: 'bars',
      series: [{ name: 'events/s', values: valuesOf(({ measured }) => measured.result.eventsPerSecond) }],
    },
    latency: {
      ...common,
      title: `Latency by ${setting}`,
      yLabel: 'ms',
      kind: 'bars',
      series: (['p50', 'p99'] as const).map((name) => ({
        name,
        values: valuesOf(({ measured }) => measured.result.latency[name]),
      })),
    },
    cpu: {
      ...common,
      title: `CPU time by ${setting}`,
      yLabel: 'µs per event',
      kind: 'stacked bars',
      series: ROLES.map((role) => ({
        name: role,
        values: valuesOf(({ measured }) => measured.cpuMicros[role] ?? 0),
      })),
    },
  }
}

/** The report of one run. */
export interface Report {
  readonly outDir: string
  readonly name: string
  readonly shape: LoadShape
  readonly report: object
  readonly charts: Readonly<Record<string, Chart>>
}

/** Writes a report and its charts. Answers the paths. */
export function writeReport({ outDir, name, shape, report, charts }: Report): readonly string[] {
  mkdirSync(outDir, { recursive: true })
  const machine = { cores: availableParallelism(), processor: cpus()[0]?.model ?? '', node: process.version }
  const files: Record<string, string> = {
    [`${name}.json`]: `${JSON.stringify({ machine, shape, ...report }, undefined, 2)}\n`,
    ...Object.fromEntries(
      Object.entries(charts).map(([chartName, chart]) => [`${name}-${chartName}.svg`, renderChart(chart)]),
    ),
  }
  return Object.entries(files).map(([file, text]) => {
    const path = join(outDir, file)
    writeFileSync(path, text)
    return path
  })
}
