import { onCleanup } from 'solid-js'

/**
 * Keeps focus in a layer whose content changes, as with the next step of a dialog. When the focused element is removed, the
 * browser gives focus to the page, where the keys of the layer no longer act: it goes to the layer instead.
 */
export function keepFocus(layer: HTMLElement): void {
  let held: Element | undefined
  const follow = ({ target }: FocusEvent): void => {
    held = target instanceof Element && layer.contains(target) ? target : undefined
  }
  const observer = new MutationObserver(() => {
    if (held?.isConnected === false && document.activeElement === document.body) {
      layer.focus({ preventScroll: true })
    }
  })
  document.addEventListener('focusin', follow)
  observer.observe(layer, { childList: true, subtree: true })
  onCleanup(() => {
    document.removeEventListener('focusin', follow)
    observer.disconnect()
  })
}
