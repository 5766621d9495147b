import { createSignal } from 'solid-js'
import { currentLocation, navigate } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { parseCallbackPath } from '../rpc/callback-path.ts'
import { type ProviderAnswer, takeReturn } from '../rpc/provider-sign-in.ts'
import { signIn } from '../rpc/session.ts'
import { showToast } from '../ui/toast.tsx'
import './sign-in-messages.ts'
import { keepInvitation, waitingInvitation } from './waiting-invitation.ts'
import { keepRequest, requestOfPage, waitingRequestPage } from './waiting-request.ts'

const [isDue, setDue] = createSignal(false)

/** Whether a sign-in of this page waits for its second factor. */
export const isFactorDue = isDue

/** Gives up the sign-in that waits for its second factor. */
export function leaveFactor(): void {
  setDue(false)
  const { path } = currentLocation()
  // A page that asked for the sign-in keeps its address.
  if (path === '/sign-in' || parseCallbackPath(path) !== undefined) navigate('/sign-in', 'replace')
}

/** The address where the waiting invitation is accepted, after the sign-in if need be. */
const JOIN_ADDRESS = '/sign-in?join'

/** Signs in with a proof of the address, and leads the user on. Throws `Failure`. */
export async function completeSignIn(
  method: 'CompleteMagicLink' | 'CompleteOAuthSignIn',
  proof: Readonly<Record<string, string>>,
): Promise<void> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const { isPasswordRemoved, isFactorDue: isWaiting } = await signIn(method, { ...proof, timezone })
  if (isWaiting) return void setDue(true)
  goOn()
  if (isPasswordRemoved) showToast({ text: t('signIn.passwordRemoved'), tone: 'neutral', duration: 'long' })
}

/** Signs in with the response of a provider, and leads the user on. Throws `Failure`. */
export async function completeProviderSignIn(answer: ProviderAnswer): Promise<void> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const signedIn = await signIn('CompleteOIDCSignIn', { ...answer, timezone })
  if (signedIn.isFactorDue) return void setDue(true)
  const connectedAt = takeReturn()
  if (connectedAt === undefined) goOn()
  else navigate(connectedAt, 'replace')
  if (signedIn.isPasswordRemoved)
    showToast({ text: t('signIn.passwordRemoved'), tone: 'neutral', duration: 'long' })
}

/** Signs in with a password, and leads the user on. Throws `Failure`. */
export async function completePasswordSignIn(email: string, password: string): Promise<void> {
  const signedIn = await signIn('SignInWithEmail', { email, password })
  if (signedIn.isFactorDue) return void setDue(true)
  if (currentLocation().path === '/sign-in') goOn()
}

/** Completes the sign-in that waits for its second factor, and leads the user on. Throws `Failure`. */
export async function completeSecondFactor(
  proof: { readonly code: string } | { readonly passkey: string },
): Promise<void> {
  await signIn('CompleteSecondFactor', proof)
  setDue(false)
  const { path } = currentLocation()
  // A page that asked for the sign-in keeps its address.
  if (path === '/sign-in') return goOn()
  if (parseCallbackPath(path) === undefined) return
  const waiting = takeReturn()
  if (waiting === undefined) goOn()
  else navigate(waiting, 'replace')
}

/** Leads a person who has signed in on to the invitation or the request of an assistant that waits, or to the landing page. */
export function goOn(): void {
  const next = waitingInvitation() === undefined ? waitingRequestPage() : JOIN_ADDRESS
  navigate(next ?? '/', 'replace')
}

/** Lets the page that asks for the sign-in wait for one that leads away from it, if it is that of an assistant's request. */
export function keepPage(): void {
  const id = requestOfPage(currentLocation())
  if (id !== undefined) keepRequest(id)
}

/** Lets an invitation wait until its account is signed in; the address keeps no token. */
export function waitForSignIn(token: string): void {
  keepInvitation(token)
  navigate(JOIN_ADDRESS, 'replace')
}
