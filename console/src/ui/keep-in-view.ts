/**
 * Scrolls the list around an element until the element is in view, and nothing else: a layer that opens has no place yet, and
 * the page must not follow it there.
 */
export function keepInView(element: HTMLElement | undefined, marginPx = 8): void {
  const list = element?.closest<HTMLElement>('[data-scrolls]')
  if (!element || !list) return
  const [inner, outer] = [element.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top < outer.top + marginPx) list.scrollTop -= outer.top + marginPx - inner.top
  else if (inner.bottom > outer.bottom - marginPx) list.scrollTop += inner.bottom - outer.bottom + marginPx
}
