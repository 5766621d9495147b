import './sparkline.css'
import { createUniqueId, type JSX, Show } from 'solid-js'

const WIDTH = 200
const HEIGHT = 40
/** Keeps lines inside. */
const EDGE = 2

/** Values of a small line; `null` is a gap. */
export type SparklineValues = readonly (number | null)[]

/** A small line without axes beside a number. */
export function Sparkline(props: {
  readonly values: SparklineValues
  readonly previous: SparklineValues
  /** The index of the bucket that is not over. */
  readonly incomplete?: number | undefined
  readonly area?: boolean
}): JSX.Element {
  const gradient = createUniqueId()
  const bounds = () => boundsOf(props.values, props.previous)
  const complete = () => props.values.slice(0, props.incomplete)
  const rest = () =>
    props.values.map((value, at) => (at < (props.incomplete ?? Number.POSITIVE_INFINITY) - 1 ? null : value))
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <Show when={props.area}>
        <linearGradient id={gradient} x2="0" y2="1">
          <stop class="area-top" />
          <stop class="area-bottom" offset="1" />
        </linearGradient>
        <path class="area" fill={`url(#${gradient})`} d={areaPath(props.values, bounds())} />
      </Show>
      <Show when={props.previous.length > 1}>
        <path class="before" d={sparkPath(props.previous.slice(0, props.values.length), bounds())} />
      </Show>
      <path d={sparkPath(complete(), bounds())} />
      <Show when={props.incomplete !== undefined}>
        <path class="unfinished" d={sparkPath(rest(), bounds())} />
      </Show>
    </svg>
  )
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly count: number
}

function boundsOf(values: SparklineValues, previous: SparklineValues): Bounds {
  let [min, max] = [0, 0]
  for (const value of [...values, ...previous]) {
    if (value !== null && value < min) min = value
    if (value !== null && value > max) max = value
  }
  return { min, max, count: values.length }
}

function placeOf(value: number, at: number, { min, max, count }: Bounds): string {
  const x = EDGE + (at / Math.max(1, count - 1)) * (WIDTH - 2 * EDGE)
  const y = HEIGHT - EDGE - (value - min) * ((HEIGHT - 2 * EDGE) / (max - min || 1))
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

/** The path of a small line, open at gaps. */
function sparkPath(values: SparklineValues, bounds: Bounds): string {
  return values
    .map((value, at) => {
      if (value === null) return ''
      const isStart = at === 0 || values[at - 1] === null
      return `${isStart ? 'M' : 'L'}${placeOf(value, at, bounds)}`
    })
    .join('')
}

function areaPath(values: SparklineValues, bounds: Bounds): string {
  const known = values.map((value) => value ?? 0)
  if (known.length < 2) return ''
  const floor = [placeOf(bounds.min, known.length - 1, bounds), placeOf(bounds.min, 0, bounds)]
  return `${sparkPath(known, bounds)}L${floor.join('L')}Z`
}
