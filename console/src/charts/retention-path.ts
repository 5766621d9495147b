/** The height of the drawing in pixels, and its free edge above and below. */
export const HEIGHT = 190
const MARGIN = 8

function xOf(period: number, cell: number): number {
  return (period + 0.5) * cell
}

/** The height at which a percentage stands. */
export function yOf(percent: number): number {
  return MARGIN + (1 - percent / 100) * (HEIGHT - 2 * MARGIN)
}

/** A path through known percentages. */
export function curvePath(percents: readonly (number | undefined)[], cell: number): string {
  return percents
    .map((percent, period) => {
      if (percent === undefined) return ''
      const isStart = period === 0 || percents[period - 1] === undefined
      return `${isStart ? 'M' : 'L'}${xOf(period, cell)} ${yOf(percent).toFixed(1)}`
    })
    .join('')
}

/** The area below a path, down to zero; empty where no percentage is known. */
export function areaPath(percents: readonly (number | undefined)[], cell: number): string {
  const [first, last] = [
    percents.findIndex((percent) => percent !== undefined),
    percents.findLastIndex((percent) => percent !== undefined),
  ]
  if (first === -1) return ''
  return `${curvePath(percents, cell)}L${xOf(last, cell)} ${yOf(0)}L${xOf(first, cell)} ${yOf(0)}Z`
}
