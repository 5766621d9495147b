import { SERIES_COLORS } from '@domain/charts/series-keys.ts'
import { describe, expect, test } from 'vitest'
import style from '../styles/tokens.css?raw'

/** Least contrast of what is drawn (WCAG 2.2, 1.4.11). */
const CONTRAST_MIN = 3

/** The light and the dark colour of a token. */
function readToken(name: string): readonly string[] {
  return new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(style)?.slice(1) ?? []
}

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

describe('the colours of series', () => {
  const series = Array.from({ length: SERIES_COLORS }, (_, slot) => readToken(`series-${slot + 1}`))
  const surface = readToken('surface')

  test.each([0, 1])('differ and can be seen in theme %d', (theme) => {
    const colors = series.map((pair) => pair[theme] ?? '')
    expect(new Set(colors).size).toBe(SERIES_COLORS)
    const contrasts = colors.map((color) => contrastOf(color, surface[theme] ?? ''))
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(CONTRAST_MIN)
  })
})
