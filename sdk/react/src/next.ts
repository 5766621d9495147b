import { usePathname, useSearchParams } from 'next/navigation.js'
import { createElement, type ReactNode, Suspense } from 'react'
import { type MillraceProviderProps, MillraceProvider as Provider, usePageView } from './index.ts'

export type { Consent, Methods, MillraceProviderProps, Module, Properties } from './index.ts'
export { useMillrace } from './index.ts'

/** The provider for the app router and the pages router: a view of each page once it is shown, with its own title. */
export function MillraceProvider({ children, pageViews, ...options }: MillraceProviderProps): ReactNode {
  const views = pageViews === 'manual' ? undefined : createElement(Suspense, null, createElement(PageViews))
  return createElement(Provider, { ...options, pageViews: 'manual' }, views, children)
}

/** Pages that are built ahead have no query, so Next.js requires a boundary around components that read it. */
function PageViews(): ReactNode {
  const pathname = usePathname()
  const query = useSearchParams()
  usePageView(pathname === null ? undefined : `${pathname}?${query ?? ''}`)
  return undefined
}
