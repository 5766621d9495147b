import { t } from '../i18n/translate.ts'
import { useKeys } from './keys.ts'

/** Rows that open, in the table of a page. */
const ROWS = 'main tr[data-opens]'

/** Index of the row to move to: the first one at first, and never beyond an end. */
export function nextRow(current: number, count: number, by: 1 | -1): number {
  return current === -1 ? 0 : Math.min(count - 1, Math.max(0, current + by))
}

function moveInPage(by: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)]
  const current = rows.findIndex((row) => row.contains(document.activeElement))
  rows[nextRow(current, rows.length, by)]?.querySelector<HTMLElement>('a[href]')?.focus()
}

/**
 * `j` and `k` move focus through the rows of the page's table; Enter then follows the link of the row. A table of which only
 * a part is in the page moves focus itself.
 */
export function useRowKeys(move: (by: 1 | -1) => void = moveInPage): void {
  useKeys([
    { keys: 'j', label: t('shell.keyNextRow'), run: () => move(1) },
    { keys: 'k', label: t('shell.keyPreviousRow'), run: () => move(-1) },
  ])
}
