/** Colours of series; later series are grey. */
export const SERIES_COLORS = 8

/** Keys of series by their labels; equal labels differ by their order. */
export function keysOf(labels: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  return labels.map((label) => {
    const count = counts.get(label) ?? 0
    counts.set(label, count + 1)
    return count === 0 ? label : `${label}\n${count}`
  })
}
