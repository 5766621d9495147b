import { expect, test } from 'vitest'
import { type Chart, niceTop, renderChart, shortNumber } from './chart.ts'

const CHART: Chart = {
  title: 'A < B & "C"',
  xLabel: 'setting',
  yLabel: 'events/s',
  categories: ['one', 'two'],
  series: [
    { name: 'a', values: [10, 20] },
    { name: 'b', values: [30, 0] },
  ],
  kind: 'bars',
}

function count(svg: string, pattern: RegExp): number {
  return svg.match(pattern)?.length ?? 0
}

test('a chart has a bar for each value, and its texts are escaped', () => {
  const svg = renderChart(CHART)
  expect(count(svg, /<rect class="bar/g)).toBe(4)
  expect(svg).toContain('>A &lt; B &amp; &quot;C&quot;</text>')
  expect(svg).toContain('prefers-color-scheme: dark')
})

test('lines have a point for each value', () => {
  const svg = renderChart({ ...CHART, kind: 'lines' })
  expect([...svg.matchAll(/points="([^"]+)"/g)].map(([, points]) => points?.split(' ').length)).toEqual([
    2, 2,
  ])
})

test('stacked bars reach the height of their sum', () => {
  const heightOf = (svg: string): number[] =>
    [...svg.matchAll(/<rect class="bar[^>]+ height="([\d.]+)"/g)].map(([, height]) => Number(height))
  const [first = 0, second = 0] = heightOf(renderChart({ ...CHART, kind: 'stacked bars' }))
  // The axis ends at 50, and has 208 pixels.
  expect(first + second).toBeCloseTo((40 / 50) * 208, 0)
})

test.each([
  [0, 1],
  [0.7, 1],
  [101, 200],
  [20_100, 25_000],
  [1000, 1000],
])('the axis of a greatest value of %d ends at %d', (value, top) => {
  expect(niceTop(value)).toBe(top)
})

test.each([
  [0.25, '0.25'],
  [40, '40'],
  [25_000, '25k'],
  [1_500_000, '1.5M'],
])('an axis shows %d as %s', (value, text) => {
  expect(shortNumber(value)).toBe(text)
})
