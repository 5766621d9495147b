import { type Accessor, createEffect, onCleanup } from 'solid-js'

/** The minutes between refreshes that a person can choose; 0 is off. */
export const REFRESH_MINUTES = [0, 1, 5, 15] as const

/** Minutes between refreshes. */
export type RefreshMinutes = (typeof REFRESH_MINUTES)[number]

const MINUTE_MS = 60_000

/** The minutes of a text in an address; 0 for any other text. */
export function parseRefresh(text: string | null): RefreshMinutes {
  return REFRESH_MINUTES.find((minutes) => String(minutes) === text) ?? 0
}

/** Timers may be a little early. */
const EARLY_MS = 1000

/** Refreshes at an interval while the tab is visible; a tab that was hidden for longer refreshes when it becomes visible. */
export function refreshEvery(minutes: Accessor<RefreshMinutes>, refresh: () => void): void {
  createEffect(() => {
    const everyMs = minutes() * MINUTE_MS
    if (everyMs === 0) return
    let lastMs = Date.now()
    const check = (): void => {
      if (document.hidden || Date.now() - lastMs < everyMs - EARLY_MS) return
      lastMs = Date.now()
      refresh()
    }
    const timer = setInterval(check, everyMs)
    document.addEventListener('visibilitychange', check)
    onCleanup(() => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
    })
  })
}
