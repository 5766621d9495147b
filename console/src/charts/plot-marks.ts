import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { barBox, slotOf } from '@domain/charts/plot-layout.ts'
import { isBars, type Line, type TimeModel } from '@domain/charts/time-model.ts'
import { bandsOf, type ToneName, toneOfRule } from '@domain/thresholds.ts'
import type uPlot from 'uplot'
import { readColor } from './canvas-colors.ts'
import { seriesColor } from './palette.ts'
import { addBar, pointOf, spaceOf } from './plot-paths.ts'

const TONE_COLORS = {
  good: 'var(--good)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
  neutral: 'var(--text-3)',
} as const satisfies Record<ToneName, string>

const BAND_OPACITY = 0.1

/** Draws the bands of the threshold rules behind the values. */
export function drawBands(plot: uPlot, rules: readonly ThresholdRule[]): void {
  const { ctx, bbox, scales } = plot
  const { min, max } = scales.y ?? {}
  if (typeof min !== 'number' || typeof max !== 'number') return
  ctx.save()
  ctx.globalAlpha = BAND_OPACITY
  for (const { from, to, tone } of bandsOf(rules, { min, max })) {
    const [top, bottom] = [plot.valToPos(to, 'y', true), plot.valToPos(from, 'y', true)]
    ctx.fillStyle = readColor(TONE_COLORS[tone])
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
  }
  ctx.restore()
}

/** Draws the bounds of the threshold rules. */
export function drawBounds(plot: uPlot, rules: readonly ThresholdRule[]): void {
  const { min = 0, max = 0 } = plot.scales.y ?? {}
  for (const rule of rules.filter(({ value }) => value >= min && value <= max)) {
    drawLevel(plot, rule.value, { color: TONE_COLORS[toneOfRule(rule)], dash: [6, 4], scale: 1 })
  }
}

/** Draws the line that bars and areas stand on. */
export function drawBase(plot: uPlot, scale: number): void {
  drawLevel(plot, 0, { color: 'var(--line-2)', dash: [], scale })
}

function drawLevel(
  { ctx, bbox, valToPos }: uPlot,
  value: number,
  {
    color,
    dash,
    scale,
  }: { readonly color: string; readonly dash: readonly number[]; readonly scale: number },
): void {
  const y = Math.round(valToPos(value, 'y', true)) + 0.5
  ctx.save()
  ctx.setLineDash([...dash])
  ctx.lineWidth = scale * devicePixelRatio
  ctx.strokeStyle = readColor(color)
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

/** Lines with fewer points have marks on them. */
const POINTS_MIN = 3
const RADIUS = 3.5

/** Draws the bucket that is not over, and points that no line connects. */
export function drawUnfinished(plot: uPlot, model: TimeModel, scale: number): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  // Points on the edge stay whole.
  const room = 2 * RADIUS * scale * devicePixelRatio
  ctx.rect(bbox.left - room, bbox.top - room, bbox.width + 2 * room, bbox.height + 2 * room)
  ctx.clip()
  for (const [at, line] of model.lines.entries()) {
    const [alpha, color] = [
      plot.series.at(at - model.lines.length)?.alpha ?? 1,
      readColor(seriesColor(line.slot)),
    ]
    ctx.globalAlpha = alpha
    if (isBars(model.style)) drawUnfinishedBar(plot, model, { line, at, scale, color, alpha })
    else drawPoints(plot, model, { line, at, scale, color, alpha })
  }
  ctx.restore()
}

interface Mark {
  readonly line: Line
  readonly at: number
  readonly scale: number
  readonly color: string
  readonly alpha: number
}

const UNFINISHED_OPACITY = 0.45

function drawUnfinishedBar(plot: uPlot, model: TimeModel, { line, at, scale, color, alpha }: Mark): void {
  const { ctx } = plot
  const { incomplete } = model
  if (incomplete === undefined) return
  const ratio = scale * devicePixelRatio
  const box = barBox(spaceOf(plot, scale), line, { at: incomplete, slot: slotOf(model, at) })
  if (box.height === 0) return
  const bar = new Path2D()
  addBar(bar, box, scale)
  ctx.globalAlpha = alpha * UNFINISHED_OPACITY
  ctx.fillStyle = color
  ctx.fill(bar)
  const isTop = model.style === 'grouped' || at === model.lines.findLastIndex((each) => !each.isBelow)
  if (!isTop) return
  const frame = new Path2D()
  const floor = plot.valToPos(0, 'y', true)
  frame.roundRect(
    box.left - ratio,
    box.top - 2 * ratio,
    box.width + 2 * ratio,
    floor - box.top + 2 * ratio,
    3 * ratio,
  )
  ctx.globalAlpha = alpha
  ctx.lineWidth = ratio
  ctx.setLineDash([3 * ratio, 3 * ratio])
  ctx.strokeStyle = readColor('var(--text-3)')
  ctx.stroke(frame)
  ctx.setLineDash([])
}

function drawPoints(plot: uPlot, model: TimeModel, { line, scale, color }: Mark): void {
  const { ctx } = plot
  const { incomplete } = model
  const ratio = scale * devicePixelRatio
  ctx.strokeStyle = color
  ctx.lineWidth = 2 * ratio
  if (incomplete !== undefined && typeof line.values[incomplete] === 'number') {
    const end = pointOf(plot, line, incomplete)
    if (incomplete > 0 && typeof line.values[incomplete - 1] === 'number') {
      const start = pointOf(plot, line, incomplete - 1)
      ctx.setLineDash([2 * ratio, 3 * ratio])
      ctx.beginPath()
      ctx.moveTo(start.x, start.y)
      ctx.lineTo(end.x, end.y)
      ctx.stroke()
      ctx.setLineDash([])
    }
    drawPoint(ctx, end, { color, fill: readColor('var(--surface)'), ratio })
  }
  for (const at of lonelyPoints(line, incomplete))
    drawPoint(ctx, pointOf(plot, line, at), { color, fill: color, ratio })
}

function drawPoint(
  ctx: CanvasRenderingContext2D,
  { x, y }: { readonly x: number; readonly y: number },
  { color, fill, ratio }: { readonly color: string; readonly fill: string; readonly ratio: number },
): void {
  ctx.beginPath()
  ctx.arc(x, y, RADIUS * ratio, 0, 2 * Math.PI)
  ctx.fillStyle = fill
  ctx.strokeStyle = color
  ctx.fill()
  ctx.stroke()
}

/** Points without a neighbour, and all points of a short line. */
function lonelyPoints({ values }: Pick<Line, 'values'>, incomplete: number | undefined): readonly number[] {
  const isGap = (at: number): boolean => typeof values[at] !== 'number'
  const isShort = values.length < POINTS_MIN
  return [...values.keys()].filter(
    (at) => at !== incomplete && !isGap(at) && (isShort || (isGap(at - 1) && isGap(at + 1))),
  )
}
