import { createWaitingPlace, type Waiting } from './waiting-place.ts'

/** Time to sign in, also by a link that is valid for 15 minutes. */
const WAITING_MS = 30 * 60_000

/** The token of an invitation whose address has an account; accepting it takes a session of that account. */
interface WaitingInvitation extends Waiting {
  readonly token: string
}

const place = createWaitingPlace<WaitingInvitation>(
  'millrace:invitation',
  ({ token }) => typeof token === 'string',
)

/** Without storage, the invitation waits in this tab only. */
let ofThisTab: WaitingInvitation | undefined

/** Keeps the token of an invitation until its account is signed in. */
export function keepInvitation(token: string): void {
  ofThisTab = { token, untilMs: Date.now() + WAITING_MS }
  place.keep(ofThisTab)
}

/** The token of the invitation that waits, if there is one. */
export function waitingInvitation(): string | undefined {
  const waiting = place.read() ?? ofThisTab
  if (waiting && waiting.untilMs > Date.now()) return waiting.token
  dropInvitation()
  return undefined
}

/** Forgets the invitation that waits. */
export function dropInvitation(): void {
  ofThisTab = undefined
  place.drop()
}
