import { ANONYMOUS, SESSION, USER } from './keys.ts'
import { erase, read, write } from './store.ts'
import { createUuid } from './uuid.ts'

/** A visit ends when nothing happened for longer than this; the service has the same rule for cookieless visits. */
const SESSION_IDLE_MS = 30 * 60_000

/** The ids of an event at this time: the acting user and their visit, which all tabs of an origin share. */
export const idsAt = (timeMs: number): { readonly distinctId: string; readonly sessionId: string } => {
  const [known, last = 0] = read(SESSION).split(' ')
  const lastMs = +last
  const sessionId = known && timeMs - lastMs <= SESSION_IDLE_MS ? known : createUuid()
  write(SESSION, `${sessionId} ${Math.max(timeMs, lastMs)}`)
  return { distinctId: read(USER) || anonymousId(), sessionId }
}

/** Makes the person known, and gives back the anonymous id that was theirs when this is the first time. */
export const becomeUser = (externalId: string): string | undefined => {
  const anonymous = read(USER) ? undefined : anonymousId()
  write(USER, externalId)
  return anonymous
}

/** The next event is of somebody new. */
export const forgetUser = (): void => {
  erase(ANONYMOUS)
  erase(USER)
  erase(SESSION)
}

const anonymousId = (): string => {
  const id = read(ANONYMOUS) || `anon-${createUuid()}`
  write(ANONYMOUS, id)
  return id
}
