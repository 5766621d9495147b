import { createEffect, createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'

/** What waits for its turn; whoever came first is next. */
const waiting = new Set<() => void>()
let isRunning = false

/** Draws one thing after each frame that was painted, so that the page takes input in between. */
function drawNext(): void {
  const [next] = waiting
  isRunning = next !== undefined
  if (!next) return
  waiting.delete(next)
  next()
  afterFrame(drawNext)
}

function afterFrame(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}

function takeTurn(draw: () => void): void {
  waiting.add(draw)
  if (isRunning) return
  isRunning = true
  afterFrame(drawNext)
}

/** Draws its children when all that came before has been drawn: many charts at once would hold the page up. */
export function InTurn(props: {
  /** `in view` waits also until somebody could see them. */
  readonly start: 'at once' | 'in view'
  /** What is there until then, as large as what comes. */
  readonly fallback: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  const [isDrawn, setDrawn] = createSignal(false)
  const draw = (): void => void setDrawn(true)
  let place: HTMLDivElement | undefined
  onMount(() => {
    if (props.start === 'at once' || !place) return takeTurn(draw)
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) takeTurn(draw)
    })
    observer.observe(place)
    onCleanup(() => observer.disconnect())
  })
  onCleanup(() => waiting.delete(draw))
  return (
    <Show when={isDrawn()} fallback={<div ref={place}>{props.fallback}</div>}>
      {props.children}
    </Show>
  )
}

/** The first items of a list, and with each turn as many more. */
export function growInTurns<T>(list: () => readonly T[], step: number): () => readonly T[] {
  const [count, setCount] = createSignal(step)
  const grow = (): void => void setCount((shown) => shown + step)
  createEffect(() => {
    if (count() < list().length) takeTurn(grow)
  })
  onCleanup(() => waiting.delete(grow))
  return () => list().slice(0, count())
}
