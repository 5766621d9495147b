import { guard, on } from './guard.ts'
import { encodeProperties, type PropertyValue } from './property-values.ts'

let referrer = ''
let href = ''

/** Properties of the page; the service derives the rest from the address, the referrer and the user agent. */
export const describePage = (): Record<string, PropertyValue> => {
  return encodeProperties(
    {
      url: location.href,
      referrer: referrer || undefined,
      title: document.title,
      language: navigator.language,
      screenWidth: screen.width,
      screenHeight: screen.height,
    },
    '$',
  )
}

/**
 * Calls now, and whenever another page is shown: by the history of the browser, or out of its cache. Within one document the page
 * before is the referrer.
 */
export const watchPage = (onView: () => void): void => {
  referrer = document.referrer
  href = location.href
  const check = (): void => {
    const before = href
    href = location.href
    if (pageOf(before) === pageOf(href)) return
    referrer = before
    onView()
  }
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history)
    history[name] = (...args) => {
      original(...args)
      guard(check)
    }
  }
  on('popstate', check)
  on<PageTransitionEvent>('pageshow', ({ persisted }) => persisted && onView())
  onView()
}

/** An anchor is a place of a page and no page. */
const pageOf = (address: string): string | undefined => {
  return address.split('#')[0]
}
