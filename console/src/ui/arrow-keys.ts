/** The index that an arrow key leads to from another one in a row of `count`; undefined for other keys. */
export function arrowTarget(
  key: string,
  { at, count }: { readonly at: number; readonly count: number },
): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

/** The row that a key leads to, from another row; undefined for other keys. */
export function keyTarget(
  key: string,
  { at, count }: { readonly at: number; readonly count: number },
): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(count - 1, at + 10)
  if (key === 'PageUp') return Math.max(0, at - 10)
  return undefined
}
