import { describe, expect, test } from 'vitest'
import { nodeCaption } from '../format/labels.ts'
import style from '../styles/tokens.css?raw'
import { seriesColor } from './palette.ts'

/** Ten values of a breakdown, and the others. */
const SERIES_USUAL = 11

/** Least contrast of what is drawn (WCAG 2.2, 1.4.11). */
const CONTRAST_MIN = 3

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe('the colours of a usual breakdown', () => {
  const colors = Array.from({ length: SERIES_USUAL }, (_, index) => seriesColor(index))

  test('differ', () => {
    expect(new Set(colors).size).toBe(SERIES_USUAL)
  })

  test('can be seen in light and dark', () => {
    const surfaces = /--surface: light-dark\((#\w{6}), (#\w{6})\)/.exec(style)?.slice(1) ?? []
    expect(surfaces).toHaveLength(2)
    const contrasts = colors.flatMap((color) => surfaces.map((surface) => contrastOf(color, surface)))
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(CONTRAST_MIN)
  })
})

test('a node of a flow says how many sessions came through', () => {
  const node = { id: 'b', label: 'page_view', isOthers: false }
  const links = [
    { source: 'a', target: 'b', value: 1500n },
    { source: 'b', target: 'c', value: 900n },
    { source: 'b', target: 'd', value: 100n },
  ]
  expect(nodeCaption(node, links)).toBe('1.5K page_view')
  expect(nodeCaption({ id: 'd', label: '', isOthers: true }, links)).toBe('100 Other')
})
