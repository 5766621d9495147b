import { createComputed } from 'solid-js'

/**
 * Gives focus back to what had it when a layer opened, for layers that a state opens and not a button beside them. The result is
 * the layer's handler of the focus after it closed.
 */
export function returnFocus(isOpen: () => boolean): (event: Event) => void {
  let opener: Element | null = null
  createComputed(() => {
    if (isOpen()) opener = document.activeElement
  })
  return (event) => {
    // The layer calls this a moment after it closed, and has prevented it if a person went on elsewhere in the meantime.
    if (event.defaultPrevented) return
    event.preventDefault()
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  }
}
