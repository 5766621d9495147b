import { createSignal } from 'solid-js'

/** The theme of the console; `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark'

const COOKIE = 'millrace_theme'
const YEAR_SECONDS = 31_536_000

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
  // biome-ignore lint/suspicious/noDocumentCookie: the store that replaces it is missing on plain HTTP
  document.cookie = `${COOKIE}=${chosen}; Path=/; SameSite=Strict; Max-Age=${YEAR_SECONDS}`
  applyTheme(chosen)
  setTheme(chosen)
}

/** Applies a theme to the page. */
export function applyTheme(chosen: Theme = theme()): void {
  document.documentElement.dataset.theme = chosen
}

function readTheme(): Theme {
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${COOKIE}=`))
  const value = pair?.slice(COOKIE.length + 1)
  return value === 'light' || value === 'dark' ? value : 'system'
}
