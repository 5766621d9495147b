import { t } from '../i18n/translate.ts'
import { onMissingPart } from './lazy.ts'
import { showToast } from './toast.tsx'

/** Shows a message while a part of the page cannot be loaded, and makes the next attempt a whole one. */
export function followMissingParts(): void {
  onMissingPart(tellOnce())
  // The loader adds a style sheet once: with one that failed, the next attempt would do without it.
  const drop = ({ target }: Event): void => void (target instanceof HTMLLinkElement && target.remove())
  addEventListener('error', drop, { capture: true })
}

/** Shows one message at a time. After an upgrade of the service the files of an open page may be gone: only another page helps. */
function tellOnce(): () => void {
  let isTold = false
  const end = (): void => {
    isTold = false
  }
  const reload = (): void => {
    end()
    location.reload()
  }
  return () => {
    if (isTold) return
    isTold = true
    const action = { label: t('ui.reload'), run: reload }
    showToast({ text: t('ui.partFailed'), tone: 'bad', duration: 'long', action, onGone: end })
  }
}
