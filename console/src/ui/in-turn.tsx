import { createEffect, createSignal, type JSX, on, onCleanup, onMount, Show, untrack } from 'solid-js'

/** The queue of drawings, first in, first out. */
const waiting = new Set<() => void>()
let isRunning = false

/** Runs one drawing after each painted frame, so that the page handles input in between. */
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

/** Queues a drawing, once however often it is asked for. */
function takeTurn(draw: () => void): void {
  waiting.add(draw)
  if (isRunning) return
  isRunning = true
  afterFrame(drawNext)
}

/** Draws its children after those queued earlier: many charts at once would block the page. */
export function InTurn(props: {
  /** `in view` also waits until they scroll into view. */
  readonly start: 'at once' | 'in view'
  /** A placeholder of the same size. */
  readonly fallback: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  const [isDrawn, setDrawn] = createSignal(false)
  const draw = (): void => void setDrawn(true)
  let holder: HTMLDivElement | undefined
  onMount(() => {
    if (props.start === 'at once' || !holder) return takeTurn(draw)
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) takeTurn(draw)
    })
    observer.observe(holder)
    onCleanup(() => observer.disconnect())
  })
  onCleanup(() => waiting.delete(draw))
  return (
    <Show when={isDrawn()} fallback={<div ref={holder}>{props.fallback}</div>}>
      {props.children}
    </Show>
  )
}

/** Draws in its turn whenever it is called, until the component ends. */
export function drawInTurn(draw: () => void): () => void {
  onCleanup(() => waiting.delete(draw))
  return () => takeTurn(draw)
}

/** A value that follows another one in its turn. */
export function followInTurn<T>(value: () => T): () => T {
  const [shown, setShown] = createSignal(untrack(value))
  const follow = drawInTurn(() => void setShown(() => untrack(value)))
  createEffect(on(value, follow, { defer: true }))
  return shown
}

/** The first items of a list, growing by as many with each turn. */
export function growInTurns<T>(list: () => readonly T[], step: number): () => readonly T[] {
  const [count, setCount] = createSignal(step)
  const grow = (): void => void setCount((shown) => shown + step)
  createEffect(() => {
    if (count() < list().length) takeTurn(grow)
  })
  onCleanup(() => waiting.delete(grow))
  return () => list().slice(0, count())
}
