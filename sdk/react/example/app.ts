import { MillraceProvider, type MillraceProviderProps, useMillrace, usePageView } from '@millrace/react'
import { createElement, type ReactNode, StrictMode, useEffect, useSyncExternalStore } from 'react'
import { renderToString } from 'react-dom/server'

/** Which provider of the package a page uses, and how. */
export interface AppProps extends Omit<MillraceProviderProps, 'children'> {
  /** The address of the first page, as a server knows it. */
  readonly path: string
  /** `hook`: the application's own router tells of its pages. */
  readonly views: 'snippet' | 'hook'
}

/** An application with a router of its own, in strict mode. */
export function App({ path, views, ...options }: AppProps): ReactNode {
  const shown = useSyncExternalStore(
    watchHistory,
    () => location.pathname,
    () => path,
  )
  const page = createElement(Page, { path: shown, views, key: shown })
  return createElement(StrictMode, null, createElement(MillraceProvider, options, page))
}

/** Shows another page of the application. */
export function navigate(path: string): void {
  history.pushState(null, '', path)
  dispatchEvent(new Event('navigated'))
}

function Page({ path, views }: { readonly path: string; readonly views: AppProps['views'] }): ReactNode {
  const { track } = useMillrace()
  // A child's effects run first: the title is there when the view is recorded.
  const view = views === 'hook' ? createElement(View, { path }) : undefined
  const onClick = (): void => track('signup', { plan: 'pro' })
  return createElement(
    'main',
    null,
    createElement(Title, { path }),
    view,
    createElement('button', { type: 'button', onClick }, path),
  )
}

function Title({ path }: { readonly path: string }): ReactNode {
  useEffect(() => {
    document.title = `Title of ${path}`
  }, [path])
  return undefined
}

function View({ path }: { readonly path: string }): ReactNode {
  usePageView(path)
  return undefined
}

function watchHistory(onChange: () => void): () => void {
  const names = ['popstate', 'navigated']
  for (const name of names) addEventListener(name, onChange)
  return () => {
    for (const name of names) removeEventListener(name, onChange)
  }
}

/** What a server sends of it. */
export function render(props: AppProps): string {
  return renderToString(createElement(App, props))
}
