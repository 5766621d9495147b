import GripVertical from 'lucide-solid/icons/grip-vertical'
import { type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import type { Arrangement, Change, Steps } from './arrangement.ts'

/** Row height and gap of the style sheet. */
export const ROW_PX = 40
export const GAP_PX = 16

const KEYS: Readonly<Record<string, Steps>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

const NAMES = {
  move: 'dashboards.moveTile',
  resize: 'dashboards.resizeTile',
} as const satisfies Record<Change, string>

/** The handle that moves or resizes a tile: dragged by a pointer, or with the arrow keys while focused. */
export function TileHandle(props: {
  readonly change: Change
  readonly id: string
  readonly title: string
  readonly arrangement: Arrangement
  /** Width of a column including its gap. */
  readonly columnPx: () => number
}): JSX.Element {
  let start: { readonly x: number; readonly y: number } | undefined
  const hold = (): void => props.arrangement.hold(props.id, props.title)
  const drag = (event: PointerEvent): void => {
    if (!start) return
    props.arrangement.drag(props.change, {
      x: Math.round((event.clientX - start.x) / props.columnPx()),
      y: Math.round((event.clientY - start.y) / (ROW_PX + GAP_PX)),
    })
  }
  const drop = (): void => {
    if (!start) return
    start = undefined
    props.arrangement.release()
    hold()
  }
  return (
    <button
      type="button"
      class={`handle handle-${props.change}`}
      aria-label={t(NAMES[props.change], { name: props.title })}
      data-change={props.change}
      data-tile={props.id}
      aria-describedby="arranging"
      onFocus={hold}
      onBlur={() => props.arrangement.release()}
      onKeyDown={(event) => {
        const steps = KEYS[event.key]
        if (!steps) return
        event.preventDefault()
        props.arrangement.step(props.change, steps)
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start = { x: event.clientX, y: event.clientY }
        hold()
      }}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
    >
      <Show when={props.change === 'move'}>
        <GripVertical />
      </Show>
    </button>
  )
}
