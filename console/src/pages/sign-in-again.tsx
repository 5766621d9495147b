import { type JSX, onCleanup, onMount } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { refreshSession } from '../rpc/session.ts'
import { Cover } from '../ui/cover.tsx'
import { SignInPage } from './sign-in.tsx'
import './sign-in-messages.ts'

/** The sign-in that covers a page with unsaved work until its user is back, here or in another tab. */
export function SignInAgain(): JSX.Element {
  const { title } = document
  const follow = (): void => {
    // Without a session the page goes on waiting, as it does while the service cannot be reached.
    if (document.visibilityState === 'visible') refreshSession().catch(() => undefined)
  }
  onMount(() => document.addEventListener('visibilitychange', follow))
  onCleanup(() => {
    document.removeEventListener('visibilitychange', follow)
    document.title = title
  })
  return (
    <Cover title={t('signIn.title')}>
      <SignInPage />
    </Cover>
  )
}
