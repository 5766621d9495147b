import { createResource, For, type JSX, onMount, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import type { Failure } from '../rpc/failure.ts'
import { goToProvider, type ProviderAnswer, readSignInWays } from '../rpc/provider-sign-in.ts'
import { createAction } from '../ui/action.ts'
import { readyOf } from '../ui/async.tsx'
import { Button } from '../ui/button.tsx'
import { SkeletonLines } from '../ui/states.tsx'
import { completeProviderSignIn, keepPage } from './complete-sign-in.ts'
import { SignInFailure } from './sign-in-failure.tsx'
import { GoogleButton } from './sign-in-google.tsx'

/** A button for each provider that the operator has set up, and for Google. */
export function ProviderButtons(): JSX.Element {
  const [ways] = createResource(readSignInWays)
  const action = createAction()
  return (
    <Show when={readyOf(ways)}>
      {(found) => (
        <>
          <For each={found().providers}>
            {({ id, label }) => (
              <Button
                isLoading={action.isRunning()}
                onClick={() =>
                  action.run(async () => {
                    keepPage()
                    await goToProvider(id)
                  })
                }
              >
                {t('signIn.provider', { name: label })}
              </Button>
            )}
          </For>
          <Show when={action.failure()}>{(failure) => <SignInFailure failure={failure()} />}</Show>
          <Show when={found().googleClientId}>{(id) => <GoogleButton clientId={id()} />}</Show>
        </>
      )}
    </Show>
  )
}

/** Completes the sign-in after the return from a provider. */
export function ProviderReturn(props: {
  readonly answer: ProviderAnswer
  /** Chooses another way to sign in. */
  readonly onLeave: () => void
}): JSX.Element {
  const action = createAction()
  const complete = async (): Promise<void> => await completeProviderSignIn(props.answer)
  onMount(() => action.run(complete))
  /** A response works once, but a call that never reached the service may be repeated. */
  const mayRetry = ({ reason, code }: Failure): boolean => code === 'unavailable' && reason === ''
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
