import type { Store } from './store.ts'
import { createUuid } from './uuid.ts'

/** A visit ends when nothing happened for longer than this; the service has the same rule for cookieless visits. */
const SESSION_IDLE_MS = 30 * 60_000

/** The acting user and their visit. All tabs of an origin see the same. */
export interface Identity {
  /** The ids of an event at this time. */
  idsAt(timeMs: number): { readonly distinctId: string; readonly sessionId: string }
  /** Makes the person known, and gives back the anonymous id that was theirs when this is the first time. */
  become(externalId: string): string | undefined
  forget(): void
}

/** Ids that are made when they are first asked for. */
export function createIdentity(store: Store, prefix: string): Identity {
  const anonymousKey = `${prefix}anonymous`
  const userKey = `${prefix}user`
  const sessionKey = `${prefix}session`
  const anonymousId = (): string => {
    const id = store.read(anonymousKey) || `anon-${createUuid()}`
    store.write(anonymousKey, id)
    return id
  }
  const sessionId = (timeMs: number): string => {
    const [known, last = 0] = store.read(sessionKey).split(' ')
    const lastMs = +last
    const id = known && timeMs - lastMs <= SESSION_IDLE_MS ? known : createUuid()
    store.write(sessionKey, `${id} ${Math.max(timeMs, lastMs)}`)
    return id
  }
  return {
    idsAt: (timeMs) => ({
      distinctId: store.read(userKey) || anonymousId(),
      sessionId: sessionId(timeMs),
    }),
    become: (externalId) => {
      const anonymous = store.read(userKey) ? undefined : anonymousId()
      store.write(userKey, externalId)
      return anonymous
    },
    forget: () => [anonymousKey, userKey, sessionKey].forEach(store.erase),
  }
}
