import { keysOf } from '@domain/charts/series-keys.ts'
import { boundsOf, modelOf, type TimeChoice, type TimeData, topOf } from '@domain/charts/time-model.ts'
import { describe, expect, test } from 'vitest'
import { createColorSlots, seriesColor } from './palette.ts'
import { summarise } from './summary.ts'
import { speakTooltip, tooltipOf } from './time-tooltip.ts'

const DAY_MS = 86_400_000
const start = Date.parse('2026-11-02T00:00:00Z')
const data: TimeData = {
  times: [start, start + DAY_MS, start + 2 * DAY_MS],
  series: [
    { label: 'a', values: [1, 2, 1] },
    { label: 'b', values: [10, null, 30] },
  ],
  style: 'line',
  timeZone: 'UTC',
  unit: 'number',
}
const choice: TimeChoice = {
  zoom: undefined,
  hidden: new Set(),
  slots: new Map([['a', 4]]),
  nowMs: start + 2.5 * DAY_MS,
}
const single: TimeData = {
  ...data,
  series: [{ label: 'Visitors', values: [10, 20, 5] }],
  previous: [{ label: 'Visitors', values: [8, 20, 40] }],
  previousTimes: data.times.map((ms) => ms - 7 * DAY_MS),
}

describe('a chart over time', () => {
  test('marks the bucket that is not over', () => {
    expect(modelOf(data, choice).incomplete).toBe(2)
    expect(modelOf(data, { ...choice, nowMs: start + 3 * DAY_MS }).incomplete).toBeUndefined()
  })

  test('stacks visible series, and treats a gap as 0', () => {
    const stacked = modelOf({ ...data, style: 'bars' }, choice)
    expect(stacked.lines.map((line) => [0, 1, 2].map((at) => topOf(line, at)))).toEqual([
      [1, 2, 1],
      [11, null, 31],
    ])
    const third = { label: 'c', values: [5, 5, 5] }
    const high = modelOf({ ...data, series: [...data.series, third], style: 'bars' }, choice)
    expect(high.lines.at(-1)?.bases).toEqual([11, 2, 31])
    const alone = modelOf({ ...data, style: 'bars' }, { ...choice, hidden: new Set(['a']) })
    expect(alone.lines.map((line) => topOf(line, 2))).toEqual([30])
    expect(boundsOf(stacked)).toEqual({ min: 0, max: 31, isWhole: true })
  })

  test('hangs series below 0 from it, with their values as they are', () => {
    const [up, down] = [data.series[0]?.values ?? [], data.series[1]?.values ?? []]
    const series = [
      { label: 'a', values: up },
      { label: 'b', values: down, isBelow: true },
      { label: 'c', values: up },
    ]
    const mirrored = modelOf({ ...data, series, style: 'bars' }, choice)
    expect(mirrored.lines.map((line) => [0, 1, 2].map((at) => topOf(line, at)))).toEqual([
      [1, 2, 1],
      [-10, null, -30],
      [2, 4, 2],
    ])
    expect(boundsOf(mirrored)).toEqual({ min: -30, max: 4, isWhole: true })
    const { rows } = tooltipOf(mirrored, 0, { focused: undefined, foot: undefined })
    expect(rows.map(({ value }) => value)).toEqual(['1', '10', '1', '2'])
  })

  test('draws the previous period of one series, and of a stack as its sum, but not of several lines', () => {
    expect(modelOf(single, choice).previousLine).toEqual([8, 20, 40])
    const previous = [
      { label: 'a', values: [3] },
      { label: 'b', values: [30, 40] },
    ]
    expect(modelOf({ ...data, previous }, choice).previousLine).toBeUndefined()
    expect(modelOf({ ...data, previous, style: 'bars' }, choice).previousLine).toEqual([33, 40])
  })

  test('shows the buckets of a selection', () => {
    const zoomed = modelOf(data, { ...choice, zoom: { from: 1, to: 2 } })
    expect([zoomed.times.length, zoomed.incomplete, zoomed.offset]).toEqual([2, 1, 1])
    expect(modelOf(data, { ...choice, zoom: { from: 0, to: 1 } }).incomplete).toBeUndefined()
  })

  test('has 10,000 buckets', () => {
    const times = Array.from({ length: 10_000 }, (_, at) => start + at * 60_000)
    const model = modelOf(
      { ...data, times, series: [{ label: 'a', values: times.map((_, at) => at) }] },
      choice,
    )
    expect([model.width, boundsOf(model).max]).toEqual(['minute', 9999])
  })
})

describe('the tooltip', () => {
  const options = { focused: undefined, foot: undefined }

  test('compares whole buckets only', () => {
    const model = modelOf(single, choice)
    expect(tooltipOf(model, 0, options)).toMatchObject({
      title: 'Mon, Nov 2',
      note: 'vs Oct 26',
      rows: [
        { value: '10', note: '+25.0%' },
        { name: 'Previous period', value: '8' },
      ],
    })
    const today = tooltipOf(model, 2, options)
    expect(today.title).toBe('Wed, Nov 4 · Today so far')
    expect(today.rows[0]).not.toHaveProperty('note')
  })

  test('has a dash for a gap, and the sum of a stack', () => {
    const stacked = tooltipOf(modelOf({ ...data, style: 'bars' }, choice), 1, options)
    expect(stacked.rows.map(({ name, value }) => [name, value])).toEqual([
      ['a', '2'],
      ['b', '—'],
      ['Total', '2'],
    ])
    expect(speakTooltip(stacked)).toBe('Tue, Nov 3: a 2, b —, Total 2')
  })
})

describe('the summary', () => {
  const read = (text: string): string => text.replaceAll(/[\u2009\u202f]/g, ' ')

  test('of one series has its total and its highest value', () => {
    const text = summarise(modelOf(single, choice), [{ value: 35, previous: 28 }])
    expect(read(text)).toBe('Visitors, Nov 2 – 4, 2026: 35, up 25.0%. Highest Tue, Nov 3, 20.')
  })

  test('of several names them', () => {
    expect(read(summarise(modelOf(data, choice), []))).toBe(
      'a, b, Nov 2 – 4, 2026. Highest b, Wed, Nov 4, 30.',
    )
  })
})

describe('the colours of series', () => {
  test('stay while a series lives, and new ones take the lowest free', () => {
    const slotsOf = createColorSlots()
    expect([...slotsOf(['a', 'b', 'c'])]).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ])
    expect(Object.fromEntries(slotsOf(['c', 'b', 'd']))).toEqual({ b: 1, c: 2, d: 0 })
  })

  test('are the palette, then grey', () => {
    expect([0, 7, 8, 20].map(seriesColor)).toEqual([
      'var(--series-1)',
      'var(--series-8)',
      'var(--text-3)',
      'var(--text-3)',
    ])
  })

  test('tell equal labels apart', () => {
    expect(new Set(keysOf(['a', 'a', 'b'])).size).toBe(3)
  })
})
