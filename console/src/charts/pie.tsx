import './pie.css'
import { For, type JSX, Show } from 'solid-js'
import { formatShare } from '../format/values.ts'
import { seriesColor } from './palette.ts'
import { foldParts, type RankedRow } from './ranked-rows.ts'

const SIZE = 100
const RADIUS = 49
const HOLE = 28

interface Slice {
  readonly label: string
  readonly text: string
  readonly color: string
  /** Of the whole. */
  readonly share: number
  readonly path: string
}

/** Positive values as parts of their sum, with a legend of names, numbers and shares. */
export function Pie(props: {
  readonly rows: readonly RankedRow[]
  readonly labels: 'shown' | 'hidden'
  readonly writeValue: (value: number) => string
}): JSX.Element {
  const slices = () => sliceUp(foldParts(props.rows, props.writeValue))
  return (
    <div class="pie">
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
        <For each={slices()}>{({ path, color }) => <path d={path} style={{ fill: color }} />}</For>
      </svg>
      <ul class="pie-legend">
        <For each={slices()}>
          {({ label, text, color, share }) => (
            <li>
              <span class="series-mark" style={{ '--paint': color }} aria-hidden="true" />
              <span class="ellipsis" title={label}>
                {label}
              </span>
              <span class="number">{text}</span>
              <Show when={props.labels === 'shown'}>
                <span class="quiet">{formatShare(share)}</span>
              </Show>
            </li>
          )}
        </For>
      </ul>
    </div>
  )
}

function sliceUp(parts: readonly RankedRow[]): readonly Slice[] {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  let from = 0
  return parts.map(({ label, text, value, isOther }, at) => {
    const share = value / total
    const path = ringPath(from, from + share)
    from += share
    return { label, text, share, path, color: isOther ? 'var(--text-3)' : seriesColor(at) }
  })
}

/** A part of a ring, from the top and clockwise; the whole ring is drawn as two halves. */
function ringPath(from: number, to: number): string {
  if (to - from > 0.999) return ringPath(0, 0.5) + ringPath(0.5, 0.999_99)
  const isLarge = to - from > 0.5 ? 1 : 0
  const [a, b, c, d] = [at(from, RADIUS), at(to, RADIUS), at(to, HOLE), at(from, HOLE)]
  return `M${a}A${RADIUS} ${RADIUS} 0 ${isLarge} 1 ${b}L${c}A${HOLE} ${HOLE} 0 ${isLarge} 0 ${d}Z`
}

function at(turn: number, radius: number): string {
  const angle = turn * 2 * Math.PI
  const [x, y] = [SIZE / 2 + radius * Math.sin(angle), SIZE / 2 - radius * Math.cos(angle)]
  return `${x.toFixed(3)} ${y.toFixed(3)}`
}
