/** Colours of ten values and the others, and one more, that differ from each other in light and dark, also for who sees few colours. */
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
