import { createEffect, createSignal, onCleanup, untrack } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { unsavedWork } from '../rpc/session.ts'
import { showToast } from '../ui/toast.tsx'
import { mayDrop } from '../ui/typed-text.ts'

/** The location of the console. */
export interface ConsoleLocation {
  readonly path: string
  readonly query: URLSearchParams
  /** The number of navigations so far; a page that changes its own address keeps it. */
  readonly visit: number
  /** Whether one came here by Back or Forward. */
  readonly isReturn: boolean
}

const [consoleLocation, setLocation] = createSignal<ConsoleLocation>(readLocation(1, false))

/** The current location of the console. */
export const currentLocation = consoleLocation

/** The number of parts of the page with unsaved changes. */
let guards = 0
unsavedWork.add(() => guards > 0)

/** Requires a confirmation before the page is left, until the returned function is called. */
function guardLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
  // The listener keeps browsers from caching the page for Back: it is added only while it is needed.
  addEventListener('beforeunload', warn)
  guards += 1
  return () => {
    removeEventListener('beforeunload', warn)
    guards -= 1
  }
}

/** Requires a confirmation before the page is left while a part of it has unsaved changes. */
export function guardChanges(isChanged: () => boolean): void {
  createEffect(() => {
    if (isChanged()) onCleanup(guardLeaving())
  })
}

function mayLeave(): boolean {
  if (guards === 0) return mayDrop(document, 'common.leaveUnsaved')
  return confirm(t('common.leaveUnsaved'))
}

/** Navigates to a path of the console. Returns false if unsaved changes kept the page. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): boolean {
  const isOtherPage = new URL(to, location.href).pathname !== location.pathname
  if (isOtherPage && !mayLeave()) return false
  // The page for frames of other sites shows nothing else: the service refuses other pages in a frame.
  if (isOtherPage && location.pathname.startsWith('/embed/')) {
    location.assign(to)
    return true
  }
  if (how === 'push') history.pushState(undefined, '', to)
  else history.replaceState(undefined, '', to)
  setLocation(({ visit, isReturn }) =>
    how === 'push' ? readLocation(visit + 1, false) : readLocation(visit, isReturn),
  )
  if (isOtherPage) scrollTo(0, 0)
  return true
}

/** Changes parameters of the address without leaving the page; an empty text removes a parameter. */
export function replaceParameters(parameters: Readonly<Record<string, string>>): void {
  const { path, query } = consoleLocation()
  const changed = new URLSearchParams(query)
  for (const [name, text] of Object.entries(parameters)) {
    if (text === '') changed.delete(name)
    else changed.set(name, text)
  }
  navigate(changed.size === 0 ? path : `${path}?${changed}`, 'replace')
}

/** Shows a message when a part of the current address cannot be read; the page leaves that part out. */
export function stateBrokenLink(isBroken: (query: URLSearchParams) => boolean): void {
  if (isBroken(untrack(consoleLocation).query))
    showToast({ text: t('common.brokenLink'), tone: 'bad', duration: 'long' })
}

/** Follows Back and Forward. The browser has already moved: to stay, the old location is pushed again. */
function followHistory(): void {
  const { path, query, visit } = consoleLocation()
  const next = readLocation(visit + 1, true)
  // A fragment is part of the same location.
  if (next.path === path && next.query.toString() === query.toString()) return
  if (next.path === path || mayLeave()) setLocation(next)
  else history.pushState(undefined, '', query.size === 0 ? path : `${path}?${query}`)
}

/** Follows links of the console without reloading the page. */
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

function readLocation(visit: number, isReturn: boolean): ConsoleLocation {
  return { path: location.pathname, query: new URLSearchParams(location.search), visit, isReturn }
}
