import { createSignal } from 'solid-js'

/** Where the console is. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
  /** Another one whenever somebody comes to a place, also to the same page; not when a page changes its own address. */
  readonly visit: number
}

const [place, setPlace] = createSignal<Place>(readPlace(1))

/** Where the console is now. */
export const currentPlace = place

/** How often it was said that the page has something to lose, and not yet taken back. */
let guards = 0

/** Asks before the page is left, also by the browser, until what this answers is called. */
export function guardLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
  // Only while it is needed: with it, browsers do not keep the page for the way back.
  addEventListener('beforeunload', warn)
  guards += 1
  return () => {
    removeEventListener('beforeunload', warn)
    guards -= 1
  }
}

function mayLeave(): boolean {
  return guards === 0 || confirm('What you changed here is not saved. Leave this page all the same?')
}

/** Goes to a path of the console. Answers whether it did: what is not saved may keep people where they are. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): boolean {
  const isOtherPage = new URL(to, location.href).pathname !== location.pathname
  if (isOtherPage && !mayLeave()) return false
  if (how === 'push') history.pushState(undefined, '', to)
  else history.replaceState(undefined, '', to)
  setPlace(({ visit }) => readPlace(how === 'push' ? visit + 1 : visit))
  if (isOtherPage) scrollTo(0, 0)
  return true
}

/** Follows the browser back or forth. It is there already: who stays gets an entry for where they are. */
function followHistory(): void {
  const { path, query, visit } = place()
  const next = readPlace(visit + 1)
  // What follows a `#` is a part of the same place.
  if (next.path === path && next.query.toString() === query.toString()) return
  if (next.path === path || mayLeave()) setPlace(next)
  else history.pushState(undefined, '', query.size === 0 ? path : `${path}?${query}`)
}

/** Follows links of the console without loading the page again. */
export function followLinks(): void {
  addEventListener('popstate', followHistory)
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (
      !link ||
      !isPlain ||
      event.defaultPrevented ||
      link.target === '_blank' ||
      link.hasAttribute('download')
    )
      return
    const url = new URL(link.href)
    if (url.origin !== location.origin || url.hash !== '') return
    event.preventDefault()
    navigate(url.pathname + url.search)
  })
}

function readPlace(visit: number): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search), visit }
}
