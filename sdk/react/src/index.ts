import { type ReactNode, useEffect } from 'react'
import type { Methods, Options } from '../../browser/src/api.ts'
import { calls } from './calls.ts'

export type { Consent, Methods, Properties } from '../../browser/src/api.ts'

/** A module of the snippet, which records more than page views. */
export type Module =
  | 'errors'
  | 'file-downloads'
  | 'form-submits'
  | 'outbound-links'
  | 'scroll-depth'
  | 'web-vitals'

/** The project, and what the snippet records. Only `consent` may change later. */
export interface MillraceProviderProps extends Omit<Options, 'key'> {
  /** A public key of the project, `pub_...`. */
  readonly apiKey: string
  readonly modules?: readonly Module[] | undefined
  /** The nonce of the page's content security policy. */
  readonly nonce?: string | undefined
  readonly children?: ReactNode
}

let isLoading = false

/** Loads the snippet once, and tells it when the consent changes. Renders its children only. */
export function MillraceProvider({ children, ...options }: MillraceProviderProps): ReactNode {
  const { consent } = options
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first options count, as for the snippet.
  useEffect(() => {
    if (!isLoading) load(options)
    else if (consent && consent !== 'pending') calls.setConsent(consent)
  }, [consent])
  return children
}

/** The calls of the snippet, always the same object: it may be used in effects and handlers, and on a server does nothing. */
export function useMillrace(): Methods {
  return calls
}

/** The path of the last view. Effects run twice in strict mode, and a component with the hook may be mounted again. */
let lastPath: string | undefined

/** Records a view of each path, after it is on the page; for a router whose paths are known. `undefined` is no path yet. */
export function usePageView(path: string | undefined): void {
  useEffect(() => {
    if (path === undefined || path === lastPath) return
    lastPath = path
    calls.page()
  }, [path])
  useEffect(() => {
    // The browser shows the page again out of its back-forward cache.
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) calls.page()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])
}

/** Trusted Types, which not every browser has. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/** The address of the script as a page with Trusted Types takes it. Throws where the page does not allow the policy. */
function trusted(url: string): string {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy('millrace', { createScriptURL: (own) => own }).createScriptURL(url) ?? url
}

function load({ apiKey, url, modules, nonce, consent, pageViews, respectDnt }: MillraceProviderProps): void {
  isLoading = true
  const script = document.createElement('script')
  const attributes = { key: apiKey, consent, pageViews, respectDnt, modules: modules?.join(' ') }
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) script.dataset[name] = String(value)
  }
  if (nonce) script.nonce = nonce
  script.async = true
  try {
    script.src = trusted(`${url.replace(/\/+$/, '')}/sdk.js`)
    document.head.append(script)
  } catch {
    // The browser reports it. An error here would take the application off the page.
  }
}
