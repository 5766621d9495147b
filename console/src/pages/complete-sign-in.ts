import { navigate } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { type ProviderAnswer, takeReturn } from '../rpc/provider-sign-in.ts'
import { signIn } from '../rpc/session.ts'
import { showToast } from '../ui/toast.tsx'
import './sign-in-messages.ts'
import { keepInvitation, waitingInvitation } from './waiting-invitation.ts'

/** The address where the waiting invitation is accepted, after the sign-in if need be. */
const JOIN_ADDRESS = '/sign-in?join'

/** Signs in with a proof of the address, and leads the user on. Throws `Failure`. */
export async function completeSignIn(
  method: 'CompleteMagicLink' | 'CompleteOAuthSignIn',
  proof: Readonly<Record<string, string>>,
): Promise<void> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const { isPasswordRemoved } = await signIn(method, { ...proof, timezone })
  goOn()
  if (isPasswordRemoved) showToast({ text: t('signIn.passwordRemoved'), tone: 'neutral', duration: 'long' })
}

/** Signs in with the response of a provider, and leads the user on. Throws `Failure`. */
export async function completeProviderSignIn(answer: ProviderAnswer): Promise<void> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const { isPasswordRemoved } = await signIn('CompleteOIDCSignIn', { ...answer, timezone })
  const connectedAt = takeReturn()
  if (connectedAt === undefined) goOn()
  else navigate(connectedAt, 'replace')
  if (isPasswordRemoved) showToast({ text: t('signIn.passwordRemoved'), tone: 'neutral', duration: 'long' })
}

/** Leads a person who has signed in on to the invitation that waits, or to the landing page. */
export function goOn(): void {
  navigate(waitingInvitation() === undefined ? '/' : JOIN_ADDRESS, 'replace')
}

/** Lets an invitation wait until its account is signed in; the address keeps no token. */
export function waitForSignIn(token: string): void {
  keepInvitation(token)
  navigate(JOIN_ADDRESS, 'replace')
}
