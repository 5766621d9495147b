import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { modelOf, type SeriesStyle, type TimeModel } from '../../../domain/charts/time-model.ts'
import { FOOTER } from '../report-mail.ts'
import { describeChart } from './alt-text.ts'
import { plainText } from './dashboard-sections.ts'
import { CHART_SIZE, drawChart } from './draw-chart.ts'
import { COLORS } from './palette.ts'
import { renderPng } from './render-png.ts'
import type { ReportPage, Section } from './section.ts'
import { FORMATS, showChange } from './show-values.ts'
import { writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

const DAY_MS = 86_400_000
const START = Date.parse('2026-06-01T00:00:00Z')
const EVIL = `"><script>alert('x')</script>&`

function chartOf(style: SeriesStyle, ...values: readonly (readonly (number | null)[])[]): TimeModel {
  const times = (values[0] ?? []).map((_, at) => START + at * DAY_MS)
  const series = values.map((one, at) => ({ label: `s${at}`, values: one }))
  return modelOf(
    { times, series, style, timeZone: 'UTC', unit: 'number' },
    { zoom: undefined, hidden: new Set(), slots: new Map(), nowMs: START + 90 * DAY_MS },
  )
}

const pageOf = (...sections: readonly Section[]): ReportPage => ({
  name: EVIL,
  projectName: EVIL,
  range: 'Jun 1 – 7, 2026',
  link: `https://example.org/?a=${EVIL}`,
  sections,
  moreCount: 0,
})

const head = { title: EVIL, description: EVIL }
const hostile: readonly Section[] = [
  {
    ...head,
    kind: 'numbers',
    numbers: [{ label: EVIL, text: EVIL, change: { text: EVIL, tone: 'good' } }],
  },
  { ...head, kind: 'chart', numbers: [], model: chartOf('line', [1, 2], [2, 3]) },
  { ...head, kind: 'table', columns: [EVIL], rows: [{ cells: [EVIL], share: 2 }], moreCount: 1 },
  { ...head, kind: 'text', text: EVIL },
  { ...head, kind: 'error', message: EVIL },
]

describe('the HTML of a mail', () => {
  test('has no markup of users, and one place for the footer', () => {
    const [, chart] = hostile
    const shown = { cid: 'chart-1@r', alt: EVIL, words: EVIL }
    const html = writeHtml(pageOf(...hostile), new Map(chart ? [[chart, shown]] : []))
    expect(html).not.toContain('<script')
    expect(html).toContain('src="cid:chart-1@r"')
    expect(html.split(FOOTER)).toHaveLength(2)
  })

  test('stays below the size at which mail programs cut it off, and counts what is left out', () => {
    const row = { cells: ['x'.repeat(500), '1'] }
    const long: Section = {
      ...head,
      kind: 'table',
      columns: ['', ''],
      rows: Array.from({ length: 10 }, () => row),
      moreCount: 0,
    }
    const html = writeHtml(pageOf(...Array.from({ length: 24 }, () => ({ ...long }))), new Map())
    expect(Buffer.byteLength(html)).toBeLessThan(100_000)
    expect(html).toMatch(/\d+ more in Millrace/)
  })

  test('shows the words of a chart where there is no room for its picture', () => {
    const [, chart] = hostile
    const shown = { cid: undefined, alt: 'alt', words: 'from 1 to 3' }
    const html = writeHtml(pageOf(...hostile), new Map(chart ? [[chart, shown]] : []))
    expect(html).toContain('from 1 to 3')
    expect(html).not.toContain('<img')
  })
})

test('the text of a mail has every section', () => {
  const table: Section = {
    title: 'Pages',
    description: '',
    kind: 'table',
    columns: ['Page', 'Visitors'],
    rows: [{ cells: ['/', '12'], change: { text: '+3.0%', tone: 'good' } }],
    moreCount: 4,
  }
  const failed: Section = { title: 'Sales', description: '', kind: 'error', message: 'It failed.' }
  expect(
    writeText({ ...pageOf(table, failed), name: 'Weekly', projectName: 'Shop', link: 'L' }, new Map()),
  ).toBe(`Weekly
Shop · Jun 1 – 7, 2026

PAGES
/: 12 (+3.0%)
4 more.

SALES
It failed.

L
`)
})

describe('a chart', () => {
  test.each(['line', 'area', 'bars', 'grouped'] as const)('of %s becomes a sharp PNG', async (style) => {
    const png = await renderPng(drawChart(chartOf(style, [1, 5, 3], [2, null, 4]), FORMATS), CHART_SIZE.width)
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      2 * CHART_SIZE.width,
      2 * CHART_SIZE.height,
    ])
  })

  test('shows its letters', async () => {
    const svg = drawChart(chartOf('line', [1, 5, 3]), FORMATS)
    const blank = svg.replaceAll(/<text.*?<\/text>/g, '')
    const [full, empty] = await Promise.all([renderPng(svg, 536), renderPng(blank, 536)])
    expect(full.length).toBeGreaterThan(empty.length + 500)
  })

  test('of one point, of nothing and of equal zeros is drawn', async () => {
    for (const model of [chartOf('line', [7]), chartOf('line', [null]), chartOf('bars', [0, 0])]) {
      const svg = drawChart(model, FORMATS)
      expect(svg).not.toMatch(/NaN|Infinity/)
      expect((await renderPng(svg, CHART_SIZE.width)).length).toBeGreaterThan(100)
    }
  })

  test('is described by its ends and its highest bucket', () => {
    expect(describeChart(chartOf('line', [3, 9, 1]))).toBe('s0: 1 to 9 per day. Highest: Jun 2.')
    expect(describeChart(chartOf('line', [null, null]))).toBe('No data.')
  })
})

test('the colours are the light ones of the console', () => {
  const css = readFileSync(new URL('../../../../console/src/styles/tokens.css', import.meta.url), 'utf8')
  const light = new Map(
    [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}),/g)].map(([, name, color]) => [name, color]),
  )
  const expected = Object.keys(COLORS).map((name) => [name, light.get(name)])
  expect(Object.fromEntries(expected)).toEqual(COLORS)
})

test.each([
  [10, 8, 'number', 'up', { text: '+25.0%', tone: 'good' }],
  [8, 10, 'number', 'up', { text: '−20.0%', tone: 'bad' }],
  [30, 20, 'percent', 'down', { text: '+10.0 pp', tone: 'bad' }],
  [5, 0, 'number', 'up', { text: 'new', tone: 'neutral' }],
  [5, 5, 'number', 'up', { text: '0.0%', tone: 'neutral' }],
] as const)('the change of %d from %d', (value, previous, unit, good, expected) => {
  expect(showChange(value, previous, { unit, good })).toEqual(expected)
})

test('a Markdown text loses its marks', () => {
  expect(plainText('# Title\n\n- **one** [two](https://x.example)\n\n\n\nend')).toBe(
    'Title\n\n• one two (https://x.example)\n\nend',
  )
})
