import { type JSX, onMount, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import type { Failure } from '../rpc/failure.ts'
import { type GoogleAnswer, goToGoogle } from '../rpc/google-sign-in.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { SkeletonLines } from '../ui/states.tsx'
import { completeSignIn, keepPage } from './complete-sign-in.ts'
import { SignInFailure } from './sign-in-failure.tsx'

/** The button to sign in with Google. */
export function GoogleButton(props: { readonly clientId: string }): JSX.Element {
  const action = createAction()
  return (
    <>
      <Button
        isLoading={action.isRunning()}
        onClick={() =>
          action.run(async () => {
            keepPage()
            goToGoogle(props.clientId)
          })
        }
      >
        {t('signIn.google')}
      </Button>
      <Show when={action.failure()}>{(failure) => <SignInFailure failure={failure()} />}</Show>
    </>
  )
}

/** Completes the sign-in after the return from Google. */
export function GoogleReturn(props: {
  readonly answer: GoogleAnswer
  /** Chooses another way to sign in. */
  readonly onLeave: () => void
}): JSX.Element {
  const action = createAction()
  const complete = async (): Promise<void> => {
    const { answer } = props
    if (answer.kind === 'refused') throw answer.failure
    const { credential } = answer
    await completeSignIn('CompleteOAuthSignIn', { provider: 'O_AUTH_PROVIDER_GOOGLE', credential })
  }
  onMount(() => action.run(complete))
  /** A call that failed can be retried; a rejected token stays rejected. */
  const mayRetry = (failure: Failure): boolean => failure.code === 'unavailable'
  return (
    <Show when={action.failure()} fallback={<SkeletonLines count={2} />}>
      {(failure) => (
        <>
          <SignInFailure failure={failure()} />
          <Show when={mayRetry(failure())}>
            <Button tone="primary" isLoading={action.isRunning()} onClick={() => action.run(complete)}>
              {t('common.retry')}
            </Button>
          </Show>
          <Button onClick={() => props.onLeave()}>{t('signIn.anotherWay')}</Button>
        </>
      )}
    </Show>
  )
}
