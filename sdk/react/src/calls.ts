import type { Call, Methods, Millrace } from '../../browser/src/api.ts'

declare global {
  interface Window {
    millrace?: Millrace | Call[]
  }
}

/** Calls before the script has loaded, which an ad blocker may prevent. */
const PENDING_MAX = 1000

/** The calls of a page. They do nothing on a server, and wait for the script in a browser. */
export const calls: Methods = {
  // The time is that of the call, not that of the script.
  track: (kind, properties, time = Date.now()) => push(['track', kind, properties, time]),
  page: (properties) => push(['page', properties]),
  identify: (externalId, traits) => push(['identify', externalId, traits]),
  reset: () => push(['reset']),
  setConsent: (consent) => push(['setConsent', consent]),
  flush: () => push(['flush']),
}

function push(call: Call): void {
  if (typeof window === 'undefined') return
  window.millrace ??= []
  const { millrace } = window
  if (!Array.isArray(millrace) || millrace.length < PENDING_MAX) millrace.push(call)
}
