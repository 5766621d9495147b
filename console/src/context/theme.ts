import { createSignal } from 'solid-js'
import { readPreference, writePreference } from './preference.ts'

/** The theme of the console; `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark'

const [theme, setTheme] = createSignal<Theme>(readTheme())

/** The chosen theme. */
export const currentTheme = theme

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const [systemDark, setSystemDark] = createSignal(prefersDark.matches)
prefersDark.addEventListener('change', (event) => setSystemDark(event.matches))

/** Whether the console is dark, for canvases that no style reaches. */
export function isDark(): boolean {
  return theme() === 'system' ? systemDark() : theme() === 'dark'
}

/** Chooses a theme, also for the next visit. */
export function chooseTheme(chosen: Theme): void {
  writePreference('theme', chosen)
  applyTheme(chosen)
  setTheme(chosen)
}

/** Applies a theme to the page. */
export function applyTheme(chosen: Theme = theme()): void {
  document.documentElement.dataset.theme = chosen
}

function readTheme(): Theme {
  const value = readPreference('theme')
  return value === 'light' || value === 'dark' ? value : 'system'
}
