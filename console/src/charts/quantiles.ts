/** Shades of a map above zero; more are hard to distinguish. */
export const SHADES = 5

/**
 * The upper bounds of all shades but the last: each shade has about as many different values, because a few values are
 * usually far above the rest.
 */
export function quantileBounds(values: readonly number[]): readonly number[] {
  const sorted = [...new Set(values.filter((value) => value > 0))].sort((a, b) => a - b)
  return Array.from({ length: SHADES - 1 }, (_, at) => {
    const index = Math.ceil((sorted.length * (at + 1)) / SHADES) - 1
    return sorted[Math.min(sorted.length - 2, index)] ?? 0
  })
}

/** The shade of a value: 0 for none, the highest value has the last one. */
export function quantileStep(value: number, bounds: readonly number[]): number {
  if (value <= 0) return 0
  return bounds.filter((bound) => value > bound).length + 1
}
