import { isDue, type SignInResult } from '../../src/control/auth/second-factor-step.ts'
import type { RefreshSession } from '../../src/control/customers/refresh-sessions.ts'

/** The session of a sign-in. Throws if its second factor is due. */
export function sessionOf(result: SignInResult): RefreshSession & { readonly isPasswordRemoved?: boolean } {
  if (isDue(result)) throw new Error('the second factor is due')
  return result
}

/** The step of a sign-in whose second factor is due. Throws if there is none. */
export function stepOf(result: SignInResult): string {
  if (isDue(result)) return result.secondFactor
  throw new Error('no second factor is due')
}
