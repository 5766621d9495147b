import type { ToneName } from '@domain/thresholds.ts'

/** Twelve colours for ten values, the others and one more, distinct in both themes and with colour blindness. */
const COLORS = [
  '#0f8f83',
  '#d9730d',
  '#5b6ee1',
  '#c2487e',
  '#7a8b1e',
  '#2f9bd8',
  '#9a6b3f',
  '#8b5fbf',
  '#d64541',
  '#6f8299',
  '#a88600',
  '#3f9a4a',
] as const

/** The colour of the nth series. */
export function seriesColor(index: number): string {
  return COLORS[index % COLORS.length] ?? COLORS[0]
}

/** The words for tones: colour must not be the only cue. */
export const TONE_LABELS = {
  good: 'Good',
  warn: 'Worth a look',
  bad: 'Bad',
  neutral: 'Neutral',
} as const satisfies Record<ToneName, string>

/** Strongest heat colour behind text that stays readable. */
const HEAT_PERCENT_MAX = 40

/** The colour of a cell by its share: the higher, the stronger. */
export function heatOf(share: number): string {
  return `color-mix(in srgb, var(--heat) ${share * HEAT_PERCENT_MAX}%, transparent)`
}

/** Colours that the style sheet names. */
export type ColorName =
  | 'surface'
  | 'line'
  | 'text'
  | 'quiet'
  | 'accent'
  | 'good'
  | 'warn'
  | 'bad'
  | 'strong-line'

/** A colour of the style sheet in the current theme, for canvases that no style reaches. */
export function readColor(name: ColorName): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
