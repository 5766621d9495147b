import { createSignal } from 'solid-js'

/** What colours the console has; `system` is whatever the browser prefers. */
export type Theme = 'system' | 'light' | 'dark'

const COOKIE = 'millrace_theme'
const YEAR_SECONDS = 31_536_000

const [theme, setTheme] = createSignal<Theme>(readTheme())

/** The chosen colours. */
export const currentTheme = theme

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const [systemDark, setSystemDark] = createSignal(prefersDark.matches)
prefersDark.addEventListener('change', (event) => setSystemDark(event.matches))

/** True when the console is dark now, for what is drawn and not styled. */
export function isDark(): boolean {
  return theme() === 'system' ? systemDark() : theme() === 'dark'
}

/** Chooses colours, also for the next visit. */
export function chooseTheme(chosen: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the store that replaces it is missing on plain HTTP
  document.cookie = `${COOKIE}=${chosen}; Path=/; SameSite=Strict; Max-Age=${YEAR_SECONDS}`
  applyTheme(chosen)
  setTheme(chosen)
}

/** Makes the page what was chosen. */
export function applyTheme(chosen: Theme = theme()): void {
  document.documentElement.dataset.theme = chosen
}

function readTheme(): Theme {
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${COOKIE}=`))
  const value = pair?.slice(COOKIE.length + 1)
  return value === 'light' || value === 'dark' ? value : 'system'
}
