import { type JSX, Show } from 'solid-js'

const WIDTH = 200
const HEIGHT = 40
/** Keeps lines inside. */
const EDGE = 2

/** A small line without axes beside a number. */
export function Sparkline(props: {
  readonly values: readonly number[]
  readonly previous: readonly number[]
}): JSX.Element {
  const bounds = () => {
    const all = [...props.values, ...props.previous, 0]
    return { min: Math.min(...all), max: Math.max(...all), count: props.values.length }
  }
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <Show when={props.previous.length > 1}>
        <path class="before" d={pathOf(props.previous.slice(0, props.values.length), bounds())} />
      </Show>
      <path d={pathOf(props.values, bounds())} />
    </svg>
  )
}

function pathOf(
  values: readonly number[],
  { min, max, count }: { readonly min: number; readonly max: number; readonly count: number },
): string {
  const height = (HEIGHT - 2 * EDGE) / (max - min || 1)
  return values
    .map((value, at) => {
      const x = EDGE + (at / Math.max(1, count - 1)) * (WIDTH - 2 * EDGE)
      return `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${(HEIGHT - EDGE - (value - min) * height).toFixed(1)}`
    })
    .join('')
}
