import { createResource, type JSX, onMount, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import type { Failure } from '../rpc/failure.ts'
import { type GoogleAnswer, goToGoogle, readGoogleClientId } from '../rpc/google-sign-in.ts'
import { signIn } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox, readyOf, Skeleton } from '../ui/async.tsx'

/** The button to sign in with Google, if it is configured. */
export function GoogleButton(): JSX.Element {
  const [clientId] = createResource(readGoogleClientId)
  const action = createAction()
  return (
    <Show when={readyOf(clientId)}>
      {(id) => (
        <>
          <button
            type="button"
            class="button"
            disabled={action.isRunning()}
            onClick={() => action.run(async () => goToGoogle(id()))}
          >
            Sign in with Google
          </button>
          <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
        </>
      )}
    </Show>
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
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
    const { credential } = answer
    await signIn('CompleteOAuthSignIn', { provider: 'O_AUTH_PROVIDER_GOOGLE', credential, timezone })
    navigate('/', 'replace')
  }
  onMount(() => action.run(complete))
  /** A call that failed can be retried; a rejected token stays rejected. */
  const mayRetry = (failure: Failure): boolean => failure.code === 'unavailable'
  return (
    <Show when={action.failure()} fallback={<Skeleton lines={2} />}>
      {(failure) => (
        <>
          <ErrorBox error={failure()} {...(mayRetry(failure()) && { retry: () => action.run(complete) })} />
          <button type="button" class="button" onClick={() => props.onLeave()}>
            Sign in another way
          </button>
        </>
      )}
    </Show>
  )
}
