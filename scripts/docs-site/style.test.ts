import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const [light = '', dark = ''] = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8').split(
  '@media (prefers-color-scheme: dark)',
)

/** WCAG 2.2, success criterion 1.4.3 for text and 1.4.11 for marks. */
const LEAST = { text: 4.5, quiet: 4.5, link: 4.5, mark: 3 } as const

function luminance(css: string, name: string): number {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6})`).exec(css)?.[1] ?? ''
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const cases = Object.entries({ light, dark }).flatMap(([scheme, css]) =>
  Object.entries(LEAST).flatMap(([front, least]) =>
    ['back', 'soft'].map((back) => ({ scheme, css, front, back, least })),
  ),
)

test.each(cases)('$front on $back can be read in the $scheme scheme', ({ css, front, back, least }) => {
  const [darker = 0, lighter = 0] = [luminance(css, front), luminance(css, back)].sort((a, b) => a - b)
  expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThanOrEqual(least)
})
