import type { Consent, Methods, Options, Properties } from './api.ts'
import { on } from './guard.ts'
import { becomeUser, forgetUser, idsAt } from './identity.ts'
import { LOST, PERSONS } from './keys.ts'
import { addEvent, hasRoom, seal } from './outbox.ts'
import { describePage, watchPage } from './page.ts'
import { encodeProperties, isKind } from './property-values.ts'
import { leave, openSender, resume, wake } from './sender.ts'
import { closeStore, erase, heldKeys, openStore, read, write } from './store.ts'
import { createUuid } from './uuid.ts'

/** Events gather for so long before they go out together. */
const GATHER_MS = 3_000

/** Reports of what found no room find some, a hundred of them. */
const LAST_SHARE = 1.01

/** Ids of an application that the service accepts. */
const EXTERNAL_ID = /^(?!cookieless-).{1,1024}$/s

/** Connects the page. It has one client: modules keep their state themselves, which is shorter than objects of their functions. */
export const connect = ({ key, url, consent, pageViews, respectDnt }: Options): Methods => {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    readonly globalPrivacyControl?: boolean
  }
  const isSignalled = globalPrivacyControl || (respectDnt && doNotTrack === '1')
  let allowed: Consent
  // Whatever else a page says is no consent.
  const isCookieless = (): boolean => isSignalled || allowed !== 'granted'

  const record = (kind: string, properties: Properties = {}, time: number | Date = Date.now()): void => {
    if (allowed === 'none') return
    const ids = isCookieless() ? { cookieless: true } : idsAt(+time)
    const own = {
      eventId: createUuid(),
      kind,
      occurTime: new Date(time).toISOString(),
      customProperties: encodeProperties(properties),
    }
    addEvent(JSON.stringify({ ...ids, autoProperties: describePage() }), JSON.stringify(own))
  }
  /** Once for all that found no room since the last time. Kept like events, so that a page may close before it. */
  const reportLost = (): void => {
    const count = +read(LOST)
    if (!count || !hasRoom(LAST_SHARE)) return
    record('events_dropped', { count })
    erase(LOST)
    seal()
  }
  const track: Methods['track'] = (kind, properties, time) => {
    if (!isKind(kind)) return
    if (hasRoom()) record(kind, properties, time)
    else write(LOST, `${+read(LOST) + 1}`)
    wake(GATHER_MS)
  }
  const page: Methods['page'] = (properties) => track('page_view', properties)
  const view = (): void => {
    if (pageViews !== 'manual') page()
  }
  const applyConsent = (to: Consent = 'granted'): void => {
    allowed = to
    openStore(`millrace:${key}:`)
    if (isCookieless()) {
      forgetUser()
      closeStore()
    }
    seal()
  }
  const end = (): void => {
    // What is stored is reported when something goes out again.
    if (heldKeys(LOST)[0]) reportLost()
    leave()
  }

  openSender(url, key, reportLost)
  applyConsent(consent)
  on('visibilitychange', () => document.hidden && end())
  on('pagehide', end)
  on('online', resume)
  watchPage(view)
  return {
    track,
    page,
    identify: (externalId, traits) => {
      if (isCookieless() || !EXTERNAL_ID.test(externalId)) return
      // Traits without a form on the wire throw here, before anything changes.
      JSON.stringify(traits)
      const person = { externalId, traits, anonymousId: becomeUser(externalId) }
      write(PERSONS + createUuid(), JSON.stringify(person))
      wake(0)
    },
    reset: forgetUser,
    setConsent: applyConsent,
    flush: () => wake(0),
  }
}
