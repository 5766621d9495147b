import type { Comparison } from './compare.ts'
import type { Summary } from './summary.ts'

const HEADINGS = ['case', 'unit', 'median', 'min', 'spread', 'ratio', 'to'] as const

/** Figures of the same width stand under each other: these columns are aligned to the right. */
const RIGHT: ReadonlySet<number> = new Set([2, 3, 4, 5])

/** Summaries as a text table, the further figures of a case in a separate line. */
export function renderTable(summaries: readonly Summary[]): string {
  const rows = [HEADINGS, ...summaries.map(cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) => renderRow(row, widths))
  const [heading = '', ...body] = lines
  const withParts = body.flatMap((line, index) => [line, ...partsLine(summaries[index])])
  return `${[heading, ...withParts].join('\n')}\n`
}

/** Both versions of each case, and how its ratio has changed. */
export function renderComparisons(comparisons: readonly Comparison[]): string {
  const table = renderTable(
    comparisons.flatMap(({ before, after }) => [
      { ...before, name: `${before.name} before` },
      { ...after, name: `${after.name} after` },
    ]),
  )
  const changes = comparisons.map(({ before, after }) => {
    const percent = Math.round((after.ratio / before.ratio - 1) * 100)
    return `${after.name}: ${before.ratio.toFixed(2)} x -> ${after.ratio.toFixed(2)} x (${percent > 0 ? '+' : ''}${percent} %)\n`
  })
  return `${table}${changes.join('')}`
}

function cells(summary: Summary): string[] {
  return [
    summary.name,
    summary.unit,
    figure(summary.median),
    figure(summary.min),
    `${Math.round(summary.spread * 100)} %`,
    `${summary.ratio.toFixed(2)} x`,
    summary.baseline,
  ]
}

function renderRow(row: readonly string[], widths: readonly number[]): string {
  const padded = row.map((cell, column) =>
    RIGHT.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
  )
  return padded.join('  ').trimEnd()
}

function partsLine(summary: Summary | undefined): string[] {
  const parts = Object.entries(summary?.parts ?? {})
  if (parts.length === 0) return []
  return [`  ${parts.map(([name, value]) => `${name} ${figure(value)}`).join(' · ')}`]
}

function figure(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}
