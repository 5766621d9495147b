import type { BenchCase, CaseReport, Sample } from './case.ts'

/** The rounds of a case in a few figures. */
export interface Summary {
  readonly name: string
  readonly unit: string
  readonly rounds: number
  readonly median: number
  readonly min: number
  /** From the cheapest to the dearest round, as a share of the median. */
  readonly spread: number
  /** Median over the rounds of cost / baseline. */
  readonly ratio: number
  readonly baseline: string
  /** Medians of the further figures. */
  readonly parts: Readonly<Record<string, number>>
}

/** Sums up a case that ran at least one round. */
export function summarise(benchCase: BenchCase, { samples }: CaseReport): Summary {
  const { name, unit, baseline } = benchCase
  const costs = samples.map(({ cost }) => cost)
  const middle = median(costs)
  return {
    name,
    unit,
    rounds: samples.length,
    median: middle,
    min: Math.min(...costs),
    spread: (Math.max(...costs) - Math.min(...costs)) / middle,
    ratio: median(samples.map((sample) => sample.cost / sample.baseline)),
    baseline,
    parts: medianParts(samples),
  }
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const half = sorted.length / 2
  const high = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + high) / 2 : high
}

function medianParts(samples: readonly Sample[]): Record<string, number> {
  const names = Object.keys(samples[0]?.parts ?? {})
  return Object.fromEntries(
    names.map((name) => [name, median(samples.map(({ parts }) => parts?.[name] ?? Number.NaN))]),
  )
}
