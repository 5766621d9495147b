import { navigate } from '../context/router.ts'
import { keepInvitation, waitingInvitation } from './waiting-invitation.ts'

/** The address where the waiting invitation is accepted, after the sign-in if need be. */
const JOIN_ADDRESS = '/sign-in?join'

/** Leads a person who has signed in on to the invitation that waits, or to the landing page. */
export function goOn(): void {
  navigate(waitingInvitation() === undefined ? '/' : JOIN_ADDRESS, 'replace')
}

/** Lets an invitation wait until its account is signed in; the address keeps no token. */
export function waitForSignIn(token: string): void {
  keepInvitation(token)
  navigate(JOIN_ADDRESS, 'replace')
}
