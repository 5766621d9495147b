/** Most of the heat colour that lies behind text: with more of it, text would be hard to read. */
const HEAT_PERCENT_MAX = 40

/** The colour of a cell with a share of 1: the higher, the stronger. */
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

/** A colour of the style sheet as it is now, in light or dark, for what is drawn and not styled. */
export function readColor(name: ColorName): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
