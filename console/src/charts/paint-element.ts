import { pictureOf } from './picture.ts'

/** Parts that need a pointer on the chart. */
const NOT_PAINTED = '.time-series-crossing, .time-series-reset, .world-spoken'

type Context = CanvasRenderingContext2D

/**
 * Paints an element at its position on the page: boxes, words, lines and canvases, which is all that charts consist of.
 * Nothing leaves the page or loads.
 */
export async function paintElement(context: Context, element: Element, scale: number): Promise<void> {
  const style = getComputedStyle(element)
  if (element.matches(NOT_PAINTED)) return
  if (style.display === 'none' || style.visibility === 'hidden' || style.clipPath !== 'none') return
  const rect = element.getBoundingClientRect()
  context.save()
  context.globalAlpha *= Number(style.opacity)
  const picture = pictureOf(element)
  if (picture) drawCanvas(context, await picture(scale), rect)
  else if (element instanceof HTMLCanvasElement) drawCanvas(context, element, rect)
  else if (element instanceof SVGSVGElement) paintSvg(context, element)
  else await paintBox(context, element, { style, rect, scale })
  context.restore()
}

interface Box {
  readonly style: CSSStyleDeclaration
  readonly rect: DOMRect
  readonly scale: number
}

async function paintBox(context: Context, element: Element, { style, rect, scale }: Box): Promise<void> {
  const radius = Number.parseFloat(style.borderTopLeftRadius) || 0
  context.beginPath()
  context.roundRect(rect.left, rect.top, rect.width, rect.height, radius)
  context.fillStyle = style.backgroundColor
  context.fill()
  if (style.overflowX === 'hidden') context.clip()
  paintBorders(context, style, rect)
  for (const child of element.childNodes) {
    if (child instanceof Text) paintText(context, child, style)
    else if (child instanceof Element) await paintElement(context, child, scale)
  }
}

function paintBorders(context: Context, style: CSSStyleDeclaration, rect: DOMRect): void {
  // A border is inside its box, half of it on each side of the line that is drawn.
  const inset = Number.parseFloat(style.borderBottomWidth) / 2
  const [left, right] = [rect.left + inset, rect.right - inset]
  const [top, bottom] = [rect.top + inset, rect.bottom - inset]
  const sides = [
    [style.borderTopWidth, style.borderTopStyle, style.borderTopColor, left, top, right, top],
    [style.borderRightWidth, style.borderRightStyle, style.borderRightColor, right, top, right, bottom],
    [style.borderBottomWidth, style.borderBottomStyle, style.borderBottomColor, left, bottom, right, bottom],
    [style.borderLeftWidth, style.borderLeftStyle, style.borderLeftColor, left, top, left, bottom],
  ] as const
  for (const [width, look, color, fromX, fromY, toX, toY] of sides) {
    context.lineWidth = Number.parseFloat(width)
    if (!(context.lineWidth > 0) || Number.parseFloat(width) === 0 || look === 'none') continue
    context.strokeStyle = color
    context.beginPath()
    context.moveTo(fromX, fromY)
    context.lineTo(toX, toY)
    context.stroke()
  }
}

/** Paints each word at its position, so that lines break as on the page. */
function paintText(context: Context, text: Text, style: CSSStyleDeclaration): void {
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  context.letterSpacing = style.letterSpacing === 'normal' ? '0px' : style.letterSpacing
  context.fillStyle = style.color
  context.textBaseline = 'alphabetic'
  const range = document.createRange()
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    const [rect] = range.getClientRects()
    if (!rect) continue
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(word)
    context.fillText(word, rect.left, rect.top + (rect.height - ascent - descent) / 2 + ascent)
  }
}

function paintSvg(context: Context, svg: SVGSVGElement): void {
  for (const shape of svg.querySelectorAll<SVGPathElement>('path')) {
    const matrix = shape.getScreenCTM()
    const style = getComputedStyle(shape)
    if (!matrix || style.display === 'none') continue
    const path = new Path2D()
    path.addPath(new Path2D(shape.getAttribute('d') ?? ''), matrix)
    context.setLineDash(style.strokeDasharray === 'none' ? [] : numbersOf(style.strokeDasharray))
    context.lineWidth = Number.parseFloat(style.strokeWidth)
    context.fillStyle = style.fill
    context.strokeStyle = style.stroke
    if (style.fill !== 'none') context.fill(path)
    if (style.stroke !== 'none') context.stroke(path)
  }
  context.setLineDash([])
}

function numbersOf(list: string): number[] {
  return list.split(/[\s,]+/).map((text) => Number.parseFloat(text))
}

function drawCanvas(context: Context, canvas: HTMLCanvasElement, rect: DOMRect): void {
  if (canvas.width === 0 || canvas.height === 0) return
  context.drawImage(canvas, rect.left, rect.top, rect.width, rect.height)
}
