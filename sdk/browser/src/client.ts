import type { Methods, Options, Properties } from './api.ts'
import { createIdentity } from './identity.ts'
import { createOutbox } from './outbox.ts'
import { createPage } from './page.ts'
import { CUSTOM_KEY, encodeProperties, isKind } from './property-values.ts'
import { createSender } from './sender.ts'
import { createStore } from './store.ts'
import { createUuid } from './uuid.ts'

/** Events gather for so long before they go out together. */
const GATHER_MS = 3_000

/** So many reports of what found no room find some. */
const LAST_EVENTS_MAX = 100

/** Ids of an application that the service accepts. */
const EXTERNAL_ID = /^(?!cookieless-)[\s\S]{1,1024}$/

/** Connects a page; runs `guard` around whatever the page's own code or the browser calls. */
export function createClient(
  { key, url, consent, pageViews }: Options,
  guard: (work: () => void) => void,
): Methods {
  let isDenied = consent === 'denied'
  const prefix = `millrace:${key}:`
  const lostKey = `${prefix}lost`
  const store = createStore(prefix)
  const identity = createIdentity(store, prefix)
  const outbox = createOutbox(store, prefix)
  const page = createPage()
  const isCookieless = (): boolean =>
    isDenied || !!(navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl

  const record = (
    kind: string,
    properties: Properties = {},
    time: number | Date = Date.now(),
    extraRoom?: number,
  ) => {
    const ids = isCookieless() ? { cookieless: true } : identity.idsAt(+time)
    const shared = JSON.stringify({ ...ids, autoProperties: page.describe() })
    const own = JSON.stringify({
      eventId: createUuid(),
      kind,
      occurTime: new Date(time).toISOString(),
      customProperties: encodeProperties(properties, CUSTOM_KEY),
    })
    return outbox.addEvent({ shared, own }, extraRoom)
  }
  /** Once for all that found no room since the last time. Kept like events, so that a page may close before it. */
  const reportLost = (): void => {
    const count = +store.read(lostKey)
    if (!count || !record('events_dropped', { count }, undefined, LAST_EVENTS_MAX)) return
    store.erase(lostKey)
    outbox.seal()
  }
  const sender = createSender({ url, key, store, outbox, onSent: reportLost })
  const track: Methods['track'] = (kind, properties, time) => {
    if (!isKind(kind)) return
    if (!record(String(kind), properties, time)) store.write(lostKey, `${+store.read(lostKey) + 1}`)
    sender.wake(GATHER_MS)
  }
  const applyConsent = (): void => {
    outbox.seal()
    if (!isCookieless()) return store.allow()
    identity.forget()
    store.forbid()
  }
  const view: Methods['page'] = (properties) => track('page_view', properties)
  const leave = (): void => {
    // What is stored is reported when something goes out again.
    if (store.heldKeys(lostKey)[0]) reportLost()
    sender.leave()
  }

  applyConsent()
  if (pageViews !== 'manual') {
    page.watch(() => guard(view))
    view()
  }
  addEventListener('visibilitychange', () => document.hidden && guard(leave))
  addEventListener('pagehide', () => guard(leave))
  addEventListener('online', () => guard(sender.resume))
  return {
    track,
    page: view,
    identify: (externalId, traits) => {
      if (isCookieless() || !EXTERNAL_ID.test(externalId)) return
      const known = JSON.parse(JSON.stringify(traits ?? {}))
      outbox.addIdentify({ externalId, traits: known, anonymousId: identity.become(externalId) })
      sender.wake(0)
    },
    reset: identity.forget,
    setConsent: (to) => {
      isDenied = to === 'denied'
      applyConsent()
    },
    flush: () => sender.wake(0),
  }
}
