import { type Accessor, createEffect, createSignal, on, onCleanup, onMount } from 'solid-js'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { TimeModel } from '@domain/charts/time-model.ts'
import { isDark } from '../context/theme.ts'
import { drawInTurn } from '../ui/in-turn.tsx'
import { offerPicture } from './picture.ts'
import { plotData, plotOptions } from './plot-options.ts'

/** The plot area of a drawn chart, in pixels of its box, and its scales. */
export interface Frame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly xOf: (index: number) => number
  readonly yOf: (value: number) => number
}

const HEIGHT_MIN = 80
/** Opacity of series beside the one that is pointed at. */
const FADED = 0.25

/** Draws a model in a box, again whenever it, the theme or the size of the box changes. */
export function createPlot(
  box: () => HTMLElement | undefined,
  { model, focused }: { readonly model: Accessor<TimeModel>; readonly focused: Accessor<string | undefined> },
): Accessor<Frame | undefined> {
  const [frame, setFrame] = createSignal<Frame>()
  onMount(() => {
    const element = box()
    if (!element) return
    let plot: uPlot | undefined
    const draw = (): void => {
      plot?.destroy()
      plot = undefined
      const size = {
        width: element.clientWidth,
        height: Math.max(HEIGHT_MIN, element.clientHeight),
        scale: 1,
      }
      if (size.width === 0) return
      const shown = model()
      const drawn = new uPlot(plotOptions(shown, size), plotData(shown), element)
      drawn.hooks.draw?.push(() => setFrame(frameOf(drawn)))
      plot = drawn
      if (focused() !== undefined) fade(drawn, shown, focused())
      offerPicture(drawn.ctx.canvas, async (scale) => await drawLarge(shown, { ...size, scale }))
    }
    // Reading the theme here draws the chart again when it changes.
    createEffect(on([isDark, model], draw))
    createEffect(on(focused, (key) => plot && fade(plot, model(), key), { defer: true }))
    // All charts of a page change their size at once, as when the side bar folds.
    const fit = drawInTurn(() => {
      const isOther =
        plot?.width !== element.clientWidth || plot.height !== Math.max(HEIGHT_MIN, element.clientHeight)
      if (isOther) draw()
    })
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    onCleanup(() => {
      observer.disconnect()
      plot?.destroy()
    })
  })
  return frame
}

function frameOf(plot: uPlot): Frame {
  const { left, top, width, height } = plot.bbox
  const ratio = devicePixelRatio
  return {
    left: left / ratio,
    top: top / ratio,
    width: width / ratio,
    height: height / ratio,
    xOf: (index) => left / ratio + plot.valToPos(index, 'x'),
    yOf: (value) => top / ratio + plot.valToPos(value, 'y'),
  }
}

/** Fades all series but one. */
function fade(plot: uPlot, { lines }: TimeModel, focused: string | undefined): void {
  const first = plot.series.length - lines.length
  for (const [at, { key }] of lines.entries()) {
    const series = plot.series[first + at]
    if (series) series.alpha = focused === undefined || key === focused ? 1 : FADED
  }
  plot.redraw(false)
}

/** A picture needs more pixels than the canvas on the screen has: it is drawn again. */
async function drawLarge(
  model: TimeModel,
  size: { readonly width: number; readonly height: number; readonly scale: number },
): Promise<HTMLCanvasElement> {
  const drawn = Promise.withResolvers<HTMLCanvasElement>()
  const options = plotOptions(model, size)
  const draw = [...[options.hooks?.draw ?? []].flat(), (made: uPlot) => drawn.resolve(made.ctx.canvas)]
  const made = new uPlot({ ...options, hooks: { ...options.hooks, draw } }, plotData(model))
  const canvas = await drawn.promise
  made.destroy()
  return canvas
}
