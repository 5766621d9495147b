import { createSignal, onCleanup } from 'solid-js'

/** Ages in minutes are right to this many milliseconds. */
const STEP_MS = 15_000

/** The current time of a part of the page, in steps, so that the ages in it go on. */
export function createClock(stepMs = STEP_MS): () => number {
  const [nowMs, setNowMs] = createSignal(Date.now())
  const tick = (): void => void setNowMs(Date.now())
  // A browser slows the timers of a hidden tab down.
  const follow = (): void => {
    if (!document.hidden) tick()
  }
  const timer = setInterval(tick, stepMs)
  document.addEventListener('visibilitychange', follow)
  onCleanup(() => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', follow)
  })
  return nowMs
}
