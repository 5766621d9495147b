import { AuthService } from '@contract/public/auth/v1/auth_service_pb.js'
import { createSignal, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { currentLocation, navigate } from '../context/router.ts'
import { clientOf } from '../rpc/client.ts'
import { takeGoogleAnswer } from '../rpc/google-sign-in.ts'
import { signIn } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox } from '../ui/async.tsx'
import { TextField } from '../ui/field.tsx'
import { GoogleButton, GoogleReturn } from './sign-in-google.tsx'

const authClient = clientOf(AuthService)

/** Signs in by password, by an email link or with Google. */
export function SignInPage(): JSX.Element {
  onMount(() => {
    document.title = 'Sign in · Millrace'
  })
  const token = (): string | undefined => currentLocation().query.get('token') ?? undefined
  const [answer, setAnswer] = createSignal(takeGoogleAnswer())
  return (
    <main class="centered">
      <section class="card sign-in">
        <h1>
          <img src="/favicon.svg" alt="" width="28" height="28" /> Millrace
        </h1>
        <Switch fallback={<SignInForm />}>
          <Match when={answer()} keyed>
            {(returned) => <GoogleReturn answer={returned} onLeave={() => setAnswer(undefined)} />}
          </Match>
          <Match when={token()} keyed>
            {(linkToken) => <LinkSignIn token={linkToken} />}
          </Match>
        </Switch>
      </section>
    </main>
  )
}

/** An email link signs in at a click: mail programs open links to scan them. */
function LinkSignIn(props: { readonly token: string }): JSX.Element {
  const action = createAction()
  const complete = async (): Promise<void> => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    await signIn('CompleteMagicLink', { token: props.token, timezone: timeZone })
    navigate('/', 'replace')
  }
  return (
    <>
      <p>This link signs you in.</p>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
      <button
        type="button"
        class="button primary"
        disabled={action.isRunning()}
        onClick={() => action.run(complete)}
      >
        Sign in
      </button>
      <p>
        <a href="/sign-in">Sign in another way</a>
      </p>
    </>
  )
}

function SignInForm(): JSX.Element {
  const [way, setWay] = createSignal<'password' | 'link'>('password')
  const [email, setEmail] = createSignal('')
  const [password, setPassword] = createSignal('')
  const [mailedTo, setMailedTo] = createSignal('')
  const action = createAction()
  const submit = async (): Promise<void> => {
    if (way() === 'link') {
      await authClient.requestMagicLink({ email: email() })
      setMailedTo(email())
      return
    }
    await signIn('SignInWithEmail', { email: email(), password: password() })
    if (currentLocation().path === '/sign-in') navigate('/', 'replace')
  }
  return (
    <Switch>
      <Match when={mailedTo() !== ''}>
        <p role="status">
          If <strong>{mailedTo()}</strong> has an account or an invitation here, a link is on its way. It
          works once, within 15 minutes. Where no mail is set up, it is in the service's log.
        </p>
        <button type="button" class="button" onClick={() => setMailedTo('')}>
          Back
        </button>
      </Match>
      <Match when={true}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            action.run(submit)
          }}
        >
          <TextField
            label="Email"
            type="email"
            autocomplete="username"
            required
            value={email()}
            onInput={setEmail}
          />
          <Show when={way() === 'password'}>
            <TextField
              label="Password"
              type="password"
              autocomplete="current-password"
              required
              value={password()}
              onInput={setPassword}
            />
          </Show>
          <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
          <button type="submit" class="button primary" disabled={action.isRunning()}>
            {way() === 'password' ? 'Sign in' : 'Send me a link'}
          </button>
          <button
            type="button"
            class="button quiet-button"
            onClick={() => setWay(way() === 'password' ? 'link' : 'password')}
          >
            {way() === 'password' ? 'Sign in by email link' : 'Sign in with a password'}
          </button>
          <GoogleButton />
        </form>
      </Match>
    </Switch>
  )
}
