/** A figure of a service at one size. */
export interface Figure {
  /** Such as `trend of page views`. */
  readonly name: string
  readonly unit: string
  readonly value: number
}

/** The figures of one size: events in millions, or projects. */
export interface SizeFigures {
  readonly size: number
  readonly figures: readonly Figure[]
}

/** What the sizes count. */
export interface Axis {
  /** In the plural, after a number. */
  readonly name: string
  /** The end of the units of figures that are divided by the size already. */
  readonly perItem?: string
}

/** How a figure grows with the size. */
export type Growth = 'constant' | 'sublinear' | 'linear' | 'superlinear'

/** A row of the table: one figure at every size. */
export interface GrowthRow {
  readonly name: string
  readonly unit: string
  /** By size; NaN where it was not measured. */
  readonly values: readonly number[]
  /** Between the last two sizes at which it was measured; NaN with fewer. */
  readonly exponent: number
  readonly growth: Growth
}

/** Figures repeat within some ten percent on a machine with other work; three times the size magnifies none of it. */
const CONSTANT_MAX = 0.15
const LINEAR_MIN = 0.85
const LINEAR_MAX = 1.15

/** log cost / log size: 0 for a constant cost, 1 where twice the size costs twice as much. */
export function growthExponent(
  from: { readonly size: number; readonly value: number },
  to: { readonly size: number; readonly value: number },
): number {
  return Math.log(to.value / from.value) / Math.log(to.size / from.size)
}

/** A figure of one item, such as an event, is constant where that of all of them is linear. */
export function classifyGrowth(exponent: number, isPerItem: boolean): Growth {
  const ofSum = isPerItem ? exponent + 1 : exponent
  if (!(ofSum <= LINEAR_MAX)) return 'superlinear'
  if (ofSum >= LINEAR_MIN) return 'linear'
  return ofSum <= CONSTANT_MAX ? 'constant' : 'sublinear'
}

/** One row for each figure, in the order of the last size. */
export function toRows(sizes: readonly SizeFigures[], { perItem }: Axis): readonly GrowthRow[] {
  return (sizes.at(-1)?.figures ?? []).map(({ name, unit }) => {
    const points = sizes.map(({ size, figures }) => ({
      size,
      value: figures.find((figure) => figure.name === name)?.value ?? Number.NaN,
    }))
    const [from, to] = points.filter(({ value }) => value > 0).slice(-2)
    const exponent = from && to ? growthExponent(from, to) : Number.NaN
    const growth = Number.isNaN(exponent)
      ? 'constant'
      : classifyGrowth(exponent, perItem !== undefined && unit.endsWith(perItem))
    return { name, unit, values: points.map(({ value }) => value), exponent, growth }
  })
}

/** The rows as a table in Markdown; superlinear ones are bold. */
export function renderTable(sizes: readonly SizeFigures[], axis: Axis): string {
  const head = [
    '',
    'unit',
    ...sizes.map(({ size }) => `${size.toLocaleString('en-US')} ${axis.name}`),
    'exponent',
  ]
  const rows = toRows(sizes, axis).map(({ name, unit, values, exponent, growth }) => {
    const shown = Number.isNaN(exponent) ? '-' : exponent.toFixed(2)
    return [name, unit, ...values.map(renderValue), growth === 'superlinear' ? `**${shown}**` : shown]
  })
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Three digits that count. */
export function renderValue(value: number): string {
  if (Number.isNaN(value)) return '-'
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
