import { describe, expect, test } from 'vitest'
import { toCharts } from './growth-charts.ts'
import { parsePlan, sizeKey } from './growth-plan.ts'
import {
  classifyGrowth,
  growthExponent,
  renderTable,
  renderValue,
  type SizeFigures,
  toRows,
} from './growth-table.ts'

describe('exponent', () => {
  test.each([
    [3, 0],
    [9, 1],
    [27, 2],
  ])('three times the size at a cost of 3 → %d', (value, exponent) => {
    expect(growthExponent({ size: 20, value: 3 }, { size: 60, value })).toBeCloseTo(exponent)
  })

  test.each([
    [0, false, 'constant'],
    [0.5, false, 'sublinear'],
    [1, false, 'linear'],
    [1.3, false, 'superlinear'],
    [0, true, 'linear'],
    [0.3, true, 'superlinear'],
    [-1, true, 'constant'],
  ] as const)('%d (per item: %s) is %s', (exponent, isPerItem, growth) => {
    expect(classifyGrowth(exponent, isPerItem)).toBe(growth)
  })
})

describe('table', () => {
  const sizes = [
    { size: 1, figures: [{ name: 'trend', unit: 'ms', value: 10 }] },
    {
      size: 10,
      figures: [
        { name: 'trend', unit: 'ms', value: 1000 },
        { name: 'disk', unit: 'bytes/event', value: 80 },
      ],
    },
  ]

  test('marks a superlinear figure, and leaves out one that was measured once', () => {
    expect(renderTable(sizes, { name: 'projects' })).toMatchInlineSnapshot(`
      "|  | unit | 1 projects | 10 projects | exponent |
      | --- | --- | --- | --- | --- |
      | trend | ms | 10.0 | 1,000 | **2.00** |
      | disk | bytes/event | - | 80.0 | - |"
    `)
  })

  test('the exponent is that of the last two sizes, not of noise at the smallest', () => {
    const noise = { size: 0.1, figures: [{ name: 'trend', unit: 'ms', value: 10 }] }
    const [row] = toRows([noise, ...sizes], { name: 'projects' })
    expect(row?.exponent).toBeCloseTo(2)
  })

  test('a figure of one event that grows is superlinear by events, and not by projects that share the events', () => {
    const disk = [1, 10].map((size) => ({
      size,
      figures: [{ name: 'disk', unit: 'bytes/event', value: 40 + size }],
    }))
    expect(toRows(disk, { name: 'events', perItem: '/event' })[0]?.growth).toBe('linear')
    const steep = disk.map(({ size }) => ({
      size,
      figures: [{ name: 'disk', unit: 'bytes/event', value: 40 * size ** 0.5 }],
    }))
    expect(toRows(steep, { name: 'events', perItem: '/event' })[0]?.growth).toBe('superlinear')
    expect(toRows(steep, { name: 'projects' })[0]?.growth).toBe('sublinear')
  })

  test.each([
    [Number.NaN, '-'],
    [0.123, '0.12'],
    [12.34, '12.3'],
    [1234.5, '1,235'],
  ])('%d is shown as %s', (value, text) => {
    expect(renderValue(value)).toBe(text)
  })
})

describe('charts', () => {
  const figures = (value: number): SizeFigures['figures'] => [
    { name: 'trend: page views by day', unit: 'ms CPU', value },
    { name: 'disk: events', unit: 'bytes/event', value },
  ]
  const sizes = [
    { size: 2, figures: figures(20) },
    { size: 10, figures: figures(100) },
  ]
  const charts = toCharts({ events: sizes, projects: sizes })
  const valuesOf = (file: string): readonly number[] | undefined =>
    charts.find((named) => named.file === file)?.chart.series[0]?.values

  test('what grows with the events is divided by them, what is of an event is not', () => {
    expect(valuesOf('growth-questions.svg')).toEqual([10, 10])
    expect(valuesOf('growth-disk.svg')).toEqual([20, 100])
    expect(valuesOf('growth-projects-disk.svg')).toEqual([20, 100])
  })

  test('an axis that was not measured has no chart, which would replace the one that is there', () => {
    const files = toCharts({ events: [], projects: sizes }).map(({ file }) => file)
    expect(files).toEqual(['growth-projects-ingestion.svg', 'growth-projects-disk.svg'])
  })
})

describe('plan', () => {
  test('takes the sizes of both axes', () => {
    expect(parsePlan(['--events', '1,5', '--projects', 'none', '--data', '/d'])).toEqual({
      eventMillions: [1, 5],
      projectCounts: [],
      folder: '/d',
      chartsFolder: undefined,
    })
  })

  test.each(['5,1', '0', '1.5', 'x', '1,1', '2000'])('refuses %s million events', (events) => {
    expect(() => parsePlan(['--events', events])).toThrow('ascending integers')
  })

  test('sizes of both axes have names of their own', () => {
    expect([sizeKey({ axis: 'events', millions: 1 }), sizeKey({ axis: 'projects', projects: 1 })]).toEqual([
      'events/1',
      'projects/1',
    ])
  })
})
