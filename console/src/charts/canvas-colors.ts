import { isDark } from '../context/theme.ts'

/** Resolved colours; reading one costs a layout of the page. */
const resolved = new Map<string, string>()
const RESOLVED_MAX = 500

/** A colour of the style sheet in the current theme, for canvases that no style reaches: `var(--text)`. */
export function readColor(color: string): string {
  const key = `${isDark()} ${color}`
  const known = resolved.get(key)
  if (known !== undefined) return known
  const probe = document.createElement('span')
  probe.style.color = color
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  if (resolved.size < RESOLVED_MAX) resolved.set(key, value)
  return value
}

/** A colour that lets a share of its ground through. */
export function readTransparent(color: string, opacity: number): string {
  return readColor(`color-mix(in srgb, ${color} ${opacity * 100}%, transparent)`)
}

/** The font of the page in a size, for canvases. */
export function readFont(pixels: number): string {
  return `${pixels}px ${getComputedStyle(document.body).fontFamily}`
}
