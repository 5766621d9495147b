import { onCleanup, onMount } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { nextRow } from '../../context/row-keys.ts'
import { t } from '../../i18n/translate.ts'
import './messages.ts'

/** Elements on which Space does something of its own. */
const USES_SPACE = 'a, button, input, select, textarea, [contenteditable], [role="dialog"], [role="tab"]'

/** Space pauses the list and resumes it. */
export function usePauseKey(toggle: () => void): void {
  const press = (event: KeyboardEvent): void => {
    const isFree = event.target instanceof Element && event.target.closest(USES_SPACE) === null
    if (event.key !== ' ' || event.defaultPrevented || !isFree) return
    event.preventDefault()
    toggle()
  }
  // The binding is for the list of keys; it never matches the key itself, which buttons use.
  useKeys([{ keys: 'Space', label: t('live.pause'), run: toggle }])
  onMount(() => document.addEventListener('keydown', press))
  onCleanup(() => document.removeEventListener('keydown', press))
}

/** J and K lead to the next and the previous event: `open` opens it while one is open, else its row is focused. */
export function useEventKeys(list: {
  readonly isOpened: () => boolean
  readonly open: (step: 1 | -1) => void
}): void {
  const move = (step: 1 | -1): void => (list.isOpened() ? list.open(step) : focusRow(step))
  useKeys([
    { keys: 'j', label: t('live.next'), run: () => move(1) },
    { keys: 'k', label: t('live.previous'), run: () => move(-1) },
  ])
}

/** Focuses the row after or before the focused one; the first row without one. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.live-row')]
  const focused = document.activeElement
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1
  rows[nextRow(at, rows.length, step)]?.focus()
}
