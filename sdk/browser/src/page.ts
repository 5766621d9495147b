import { encodeProperties, type PropertyValue } from './property-values.ts'

/** The page that is shown. */
export interface Page {
  /** Properties of the page; the service derives the rest from the address, the referrer and the user agent. */
  describe(): Record<string, PropertyValue>
  /** Calls whenever another page is shown: by the history of the browser, or out of its cache. */
  watch(onView: () => void): void
}

const AUTO_KEY = /^\$/

/** Looks at the page. Within one document the page before is the referrer. */
export function createPage(): Page {
  let { referrer } = document
  let { href } = location
  let path = pathOf()
  return {
    describe: () =>
      encodeProperties(
        {
          $url: location.href,
          $referrer: referrer || undefined,
          $title: document.title,
          $language: navigator.language,
          $screenWidth: screen.width,
          $screenHeight: screen.height,
        },
        AUTO_KEY,
      ),
    watch: (onView) => {
      const check = (): void => {
        const before = href
        href = location.href
        if (path === pathOf()) return
        path = pathOf()
        referrer = before
        onView()
      }
      for (const name of ['pushState', 'replaceState'] as const) {
        const original = history[name].bind(history)
        history[name] = (...args) => {
          original(...args)
          check()
        }
      }
      addEventListener('popstate', check)
      addEventListener('pageshow', ({ persisted }) => persisted && onView())
    },
  }
}

/** An anchor is a place of a page and no page. */
function pathOf(): string {
  return location.pathname + location.search
}
