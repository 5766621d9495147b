/** All tabs share it: a link to sign in opens another one. */
const STORAGE_KEY = 'millrace:invitation'

/** Time to sign in, also by a link that is valid for 15 minutes. */
const WAITING_MS = 30 * 60_000

/** The token of an invitation whose address has an account; accepting it takes a session of that account. */
interface Waiting {
  readonly token: string
  readonly untilMs: number
}

let ofThisTab: Waiting | undefined

/** Keeps the token of an invitation until its account is signed in. */
export function keepInvitation(token: string): void {
  ofThisTab = { token, untilMs: Date.now() + WAITING_MS }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(ofThisTab))
  } catch {
    // Storage can be switched off: the invitation then waits in this tab only.
  }
}

/** The token of the invitation that waits, if there is one. */
export function waitingInvitation(): string | undefined {
  const waiting = readStored() ?? ofThisTab
  if (waiting && waiting.untilMs > Date.now()) return waiting.token
  dropInvitation()
  return undefined
}

/** Forgets the invitation that waits. */
export function dropInvitation(): void {
  ofThisTab = undefined
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Nothing is stored.
  }
}

function readStored(): Waiting | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
    return isWaiting(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

function isWaiting(value: unknown): value is Waiting {
  if (typeof value !== 'object' || value === null) return false
  const { token, untilMs } = value as Partial<Record<keyof Waiting, unknown>>
  return typeof token === 'string' && typeof untilMs === 'number'
}
