import type { Span } from '@domain/charts/time-model.ts'
import { type Accessor, createSignal, type JSX } from 'solid-js'
import { bucketAt, bucketOf } from './buckets.ts'
import type { Frame } from './plot-view.ts'
import { useSharedTime } from './shared-time.tsx'

/** Further than this many pixels, a press is a selection and no click. */
const DRAG_MIN = 5
/** Steps of the keys Page Up and Page Down. */
const PAGE = 10

/** The pointer and keyboard events of a chart. */
export interface CrosshairEvents {
  readonly times: Accessor<readonly number[]>
  readonly frame: Accessor<Frame | undefined>
  readonly onClick: (at: number, point: Point) => void
  readonly onSelect: (span: Span) => void
  readonly onReset: () => void
  /** The keyboard moves to the next or the previous series. */
  readonly onTurn: (by: 1 | -1) => void
}

/** A position in pixels of the box of a chart. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The bucket that a chart points at, and the handlers of its box. */
export interface Crosshair {
  /** The index of the bucket; `undefined` where nothing is pointed at. */
  readonly index: Accessor<number | undefined>
  /** The source of the position: another chart of the page only shows the line. */
  readonly source: Accessor<'pointer' | 'keyboard' | 'shared' | undefined>
  readonly pointer: Accessor<Point | undefined>
  /** The span that is being selected. */
  readonly selection: Accessor<Span | undefined>
  readonly handlers: JSX.HTMLAttributes<HTMLDivElement>
}

/** Follows the pointer and the keyboard over a chart. */
export function createCrosshair(events: CrosshairEvents): Crosshair {
  const [own, setOwn] = createSignal<{ readonly index: number; readonly source: 'pointer' | 'keyboard' }>()
  const [pointer, setPointer] = createSignal<Point>()
  const [start, setStart] = createSignal<Point>()
  const [shared, setShared] = useSharedTime()
  const move = (index: number, source: 'pointer' | 'keyboard'): void => {
    const last = events.times().length - 1
    const bounded = Math.max(0, Math.min(last, index))
    setOwn({ index: bounded, source })
    setShared(events.times()[bounded])
  }
  const leave = (): void => {
    setOwn(undefined)
    setPointer(undefined)
    setShared(undefined)
  }
  const indexAt = ({ x }: Point): number => bucketAt(events.frame(), x, events.times().length)
  const selection = (): Span | undefined => {
    const [from, to] = [start(), pointer()]
    if (!from || !to || Math.abs(to.x - from.x) < DRAG_MIN) return undefined
    const ends = [indexAt(from), indexAt(to)] as const
    return { from: Math.min(...ends), to: Math.max(...ends) }
  }
  const finish = (point: Point): void => {
    const span = selection()
    const isPressed = start() !== undefined
    setStart(undefined)
    if (span && span.to > span.from) events.onSelect(span)
    else if (isPressed) events.onClick(indexAt(point), point)
  }
  const index = (): number | undefined => own()?.index ?? bucketOf(events.times(), shared())
  const step = (by: number): void =>
    move((own()?.index ?? (by > 0 ? -1 : events.times().length)) + by, 'keyboard')
  return {
    index,
    source: () => own()?.source ?? (index() === undefined ? undefined : 'shared'),
    pointer,
    selection,
    handlers: {
      onPointerMove: (event) => {
        const point = pointIn(event)
        setPointer(point)
        move(indexAt(point), 'pointer')
      },
      onPointerDown: (event) => {
        if (event.button !== 0) return
        setPointer(pointIn(event))
        setStart(pointIn(event))
        if (event.pointerType === 'mouse') event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerUp: (event) => finish(pointIn(event)),
      onPointerCancel: () => setStart(undefined),
      onPointerLeave: (event) => {
        // A tap keeps its tooltip until the next one.
        if (event.pointerType === 'mouse' && start() === undefined) leave()
      },
      onDblClick: () => events.onReset(),
      onBlur: () => own()?.source === 'keyboard' && leave(),
      onKeyDown: (event) => {
        const at = own()?.index
        if (event.key === 'Enter' && at !== undefined) events.onClick(at, { x: Number.NaN, y: Number.NaN })
        else if (event.key === 'Escape' && at !== undefined) leave()
        else if (event.key === 'ArrowUp' || event.key === 'ArrowDown')
          events.onTurn(event.key === 'ArrowUp' ? -1 : 1)
        else if (event.key in STEPS) step(STEPS[event.key] ?? 0)
        else return
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

function pointIn(event: PointerEvent & { readonly currentTarget: HTMLDivElement }): Point {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}
