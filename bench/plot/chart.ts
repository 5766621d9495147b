/** A chart of one or more series over named or numbered categories of the x axis. */
export interface Chart {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** The labels on the x axis, in order. */
  readonly categories: readonly string[]
  readonly series: readonly Series[]
  readonly kind: 'lines' | 'bars' | 'stacked bars'
}

/** One series: a value for each category. */
export interface Series {
  readonly name: string
  readonly values: readonly number[]
}

const WIDTH = 640
const HEIGHT = 320
const PLOT = { left: 64, right: 16, top: 64, bottom: 48 } as const
const PLOT_WIDTH = WIDTH - PLOT.left - PLOT.right
const PLOT_HEIGHT = HEIGHT - PLOT.top - PLOT.bottom
const TICKS = 5
/** Names under the x axis need about as much room as this many categories leave. */
const CATEGORY_LABELS_MAX = 12

// Colours that readers with colour blindness can distinguish, three to one on either background.
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1c2733 }
  .title { font-size: 15px; font-weight: 600 }
  .quiet { fill: #52606d }
  .grid { stroke: #d5dde3 }
  .s0 { color: #0b6fa8 } .s1 { color: #b3560a } .s2 { color: #0f7a6c } .s3 { color: #8a3ea8 } .s4 { color: #5a6672 }
  .mark, .bar { fill: currentColor }
  .line { stroke: currentColor; fill: none; stroke-width: 2.5; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) {
    text { fill: #dde4ea } .quiet { fill: #a3b1bd } .grid { stroke: #33414d }
    .s0 { color: #62b6ea } .s1 { color: #f0a15a } .s2 { color: #5fd3bf } .s3 { color: #cf9be6 } .s4 { color: #a3b1bd }
  }`

/** A chart as an SVG file that can be read on light and on dark ground. */
export function renderChart(chart: Chart): string {
  const top = niceTop(largestValue(chart))
  const marks = chart.kind === 'lines' ? renderLines(chart, top) : renderBars(chart, top)
  const description = `${chart.title}: ${chart.yLabel} by ${chart.xLabel}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escapeXml(description)}">
<style>${STYLE}
</style>
<text class="title" x="16" y="24">${escapeXml(chart.title)}</text>
${renderLegend(chart)}
${renderGrid(chart, top)}
${renderCategories(chart)}
${marks}
</svg>
`
}

function largestValue({ kind, series, categories }: Chart): number {
  if (kind !== 'stacked bars') return Math.max(0, ...series.flatMap(({ values }) => values))
  return Math.max(
    0,
    ...categories.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  )
}

/** The next round number: 1, 2, 2.5 or 5 times a power of ten. */
export function niceTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= value) ?? 10
  return step * power
}

function renderGrid({ yLabel }: Chart, top: number): string {
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const value = (top * tick) / TICKS
    const y = toY(value, top)
    return `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${y}" y2="${y}"/><text class="quiet" x="${PLOT.left - 8}" y="${round(y + 4)}" text-anchor="end">${shortNumber(value)}</text>`
  })
  return [`<text class="quiet" x="16" y="${PLOT.top - 20}">${escapeXml(yLabel)}</text>`, ...ticks].join('\n')
}

function renderCategories({ categories, xLabel }: Chart): string {
  const every = Math.ceil(categories.length / CATEGORY_LABELS_MAX)
  const labels = categories.map((category, at) =>
    at % every === 0
      ? `<text class="quiet" x="${toX(at, categories.length)}" y="${HEIGHT - PLOT.bottom + 18}" text-anchor="middle">${escapeXml(category)}</text>`
      : '',
  )
  const middle = PLOT.left + PLOT_WIDTH / 2
  return [
    ...labels,
    `<text class="quiet" x="${middle}" y="${HEIGHT - 10}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function renderLegend({ series }: Chart): string {
  if (series.length < 2) return ''
  // Right-aligned, from the last to the first.
  let right = WIDTH - PLOT.right
  const items = series.map(({ name }, index) => ({ name, index })).reverse()
  return items
    .map(({ name, index }) => {
      const textX = right - name.length * 7
      right = textX - 30
      return `<g class="s${index}"><rect class="mark" x="${textX - 16}" y="${PLOT.top - 30}" width="10" height="10" rx="2"/><text x="${textX}" y="${PLOT.top - 20}">${escapeXml(name)}</text></g>`
    })
    .join('\n')
}

function renderLines({ series, categories }: Chart, top: number): string {
  return series
    .map(({ values }, index) => {
      const points = values.map((value, at) => `${toX(at, categories.length)},${toY(value, top)}`)
      return `<polyline class="line s${index}" points="${points.join(' ')}"/>`
    })
    .join('\n')
}

function renderBars({ kind, series, categories }: Chart, top: number): string {
  const slot = PLOT_WIDTH / categories.length
  const isStacked = kind === 'stacked bars'
  const width = (Math.min(slot, 120) * 0.6) / (isStacked ? 1 : series.length)
  const bars = categories.flatMap((_, at) => {
    let base = 0
    return series.map(({ values }, index) => {
      const value = values[at] ?? 0
      const y = toY(base + value, top)
      const height = toY(base, top) - y
      const offset = isStacked ? -width / 2 : (index - series.length / 2) * width
      if (isStacked) base += value
      return `<rect class="bar s${index}" x="${round(toX(at, categories.length) + offset)}" y="${y}" width="${round(width - 2)}" height="${round(height)}" rx="2"/>`
    })
  })
  return bars.join('\n')
}

/** The middle of a category. */
function toX(at: number, count: number): number {
  return round(PLOT.left + (PLOT_WIDTH * (at + 0.5)) / count)
}

function toY(value: number, top: number): number {
  return round(PLOT.top + PLOT_HEIGHT * (1 - value / top))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** A number as an axis shows it: `25k`, `1.5M`. */
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${round(value / 1e6)}M`
  if (value >= 1e4) return `${round(value / 1e3)}k`
  return value >= 10 ? String(round(value)) : String(Math.round(value * 100) / 100)
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
