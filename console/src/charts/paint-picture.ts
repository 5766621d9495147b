import { t } from '../i18n/translate.ts'
import { Failure } from '../rpc/failure.ts'
import '../rpc/failure-reasons.ts'
import { readColor, readFont } from './canvas-colors.ts'
import { paintElement } from './paint-element.ts'

/** Pixels of a picture for each of the page. */
const SCALE = 2
/** Browsers draw no larger sides. */
const SIDE_MAX = 16_384

const PADDING = 24
const HEAD = 60

/** Words above a chart. */
export interface PictureTitle {
  readonly title: string
  /** The time range that the picture shows, with its zone. */
  readonly time: string
}

/** A picture of a chart as it is now, with words above it, as PNG. */
export async function paintPicture(chart: HTMLElement, words: PictureTitle): Promise<Blob> {
  for (const scroller of chart.querySelectorAll('.table-scroll')) scroller.scrollLeft = 0
  const rect = chart.getBoundingClientRect()
  const size = { width: widthOf(chart) + 2 * PADDING, height: rect.height + HEAD + 2 * PADDING }
  const scale = Math.min(SCALE, SIDE_MAX / size.width, SIDE_MAX / size.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(size.width * scale)
  canvas.height = Math.ceil(size.height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Failure({ code: 'unimplemented', message: t('failures.noPictures') })
  context.scale(scale, scale)
  context.fillStyle = readColor('var(--surface)')
  context.fillRect(0, 0, size.width, size.height)
  paintWords(context, words)
  context.translate(PADDING - rect.left, PADDING + HEAD - rect.top)
  await paintElement(context, chart, scale)
  return await toPng(canvas)
}

/** The full width of the chart: content that scrolls on the page is fully in the picture. */
function widthOf(chart: HTMLElement): number {
  const { left, width } = chart.getBoundingClientRect()
  const scrollers = [...chart.querySelectorAll('.table-scroll')]
  const rights = scrollers.map((one) => one.getBoundingClientRect().left - left + one.scrollWidth)
  return Math.max(width, ...rights)
}

function paintWords(context: CanvasRenderingContext2D, { title, time }: PictureTitle): void {
  context.textBaseline = 'top'
  context.fillStyle = readColor('var(--text)')
  context.font = `600 ${readFont(20)}`
  context.fillText(title, PADDING, PADDING)
  context.fillStyle = readColor('var(--text-2)')
  context.font = readFont(13)
  context.fillText(time, PADDING, PADDING + 28)
}

async function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  const made = Promise.withResolvers<Blob>()
  canvas.toBlob((blob) => {
    if (blob) made.resolve(blob)
    else made.reject(new Failure({ code: 'resource_exhausted', message: t('failures.pictureLarge') }))
  }, 'image/png')
  return await made.promise
}
