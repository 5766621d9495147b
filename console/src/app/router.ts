import { createSignal } from 'solid-js'

/** Where the console is. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const [place, setPlace] = createSignal<Place>(readPlace())

/** Where the console is now. */
export const currentPlace = place

/** Goes to a path of the console. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  const isOtherPage = new URL(to, location.href).pathname !== location.pathname
  if (how === 'push') history.pushState(undefined, '', to)
  else history.replaceState(undefined, '', to)
  setPlace(readPlace())
  if (isOtherPage) scrollTo(0, 0)
}

/** Follows links of the console without loading the page again. */
export function followLinks(): void {
  addEventListener('popstate', () => setPlace(readPlace()))
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

function readPlace(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}
