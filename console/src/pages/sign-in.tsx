import { AuthService } from '@contract/public/auth/v1/auth_service_pb.js'
import { createSignal, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { currentLocation, navigate } from '../context/router.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { takeGoogleAnswer } from '../rpc/google-sign-in.ts'
import { takeProviderAnswer } from '../rpc/provider-sign-in.ts'
import { hasSessionEnded, sessionState } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { lazy } from '../ui/lazy.ts'
import {
  completePasswordSignIn,
  completeSignIn,
  isFactorDue,
  keepPage,
  leaveFactor,
  waitForSignIn,
} from './complete-sign-in.ts'
import { JoinOrganisation } from './join-organisation.tsx'
import './sign-in.css'
import { SignInFailure } from './sign-in-failure.tsx'
import { GoogleReturn } from './sign-in-google.tsx'
import './sign-in-messages.ts'
import { ProviderButtons, ProviderReturn } from './sign-in-provider.tsx'
import { waitingInvitation } from './waiting-invitation.ts'

const SecondFactorStep = lazy(async () => ({
  default: (await import('./sign-in-second-factor.tsx')).SecondFactorStep,
}))

const authClient = clientOf(AuthService)

/** Signs in by password, by an email link or with a provider, and accepts the invitation that waits for it. */
export function SignInPage(): JSX.Element {
  onMount(() => {
    document.title = `${t('signIn.title')} · Millrace`
  })
  const token = (): string | undefined => currentLocation().query.get('token') ?? undefined
  const isJoining = (): boolean => currentLocation().query.has('join') && waitingInvitation() !== undefined
  const [answer, setAnswer] = createSignal(takeGoogleAnswer())
  const [response, setResponse] = createSignal(takeProviderAnswer())
  const leaveSecondFactor = (): void => {
    setAnswer(undefined)
    setResponse(undefined)
    leaveFactor()
  }
  const leaveProvider = (): void => {
    setResponse(undefined)
    navigate('/sign-in', 'replace')
  }
  return (
    <main class="sign-in">
      <section class="sign-in-card">
        <img src="/favicon.svg" alt="" width="36" height="36" />
        <h1>{t(isJoining() ? 'signIn.joinTitle' : 'signIn.title')}</h1>
        <Switch fallback={<SignInForm isJoining={isJoining()} />}>
          <Match when={isFactorDue()}>
            <SecondFactorStep onLeave={leaveSecondFactor} />
          </Match>
          <Match when={answer()} keyed>
            {(returned) => <GoogleReturn answer={returned} onLeave={() => setAnswer(undefined)} />}
          </Match>
          <Match when={response()} keyed>
            {(returned) => <ProviderReturn answer={returned} onLeave={leaveProvider} />}
          </Match>
          <Match when={token()} keyed>
            {(linkToken) => <LinkSignIn token={linkToken} />}
          </Match>
          <Match when={currentLocation().query.has('join') && sessionState() === 'signed-in'}>
            <JoinOrganisation />
          </Match>
        </Switch>
      </section>
    </main>
  )
}

/** Codes of a link that was used, has expired, or whose invitation was revoked. */
const OVER_CODES: readonly string[] = ['unauthenticated', 'failed_precondition']

/** An email link signs in at a click: mail programs open links to scan them. */
function LinkSignIn(props: { readonly token: string }): JSX.Element {
  const action = createAction()
  const complete = async (): Promise<void> => {
    const { token } = props
    try {
      await completeSignIn('CompleteMagicLink', { token })
    } catch (thrown) {
      if (Failure.from(thrown).reason !== 'INVITATION_NEEDS_SIGN_IN') throw thrown
      waitForSignIn(token)
    }
  }
  /** The link works no more, and a further click would find the same. */
  const isOver = (): boolean => OVER_CODES.includes(action.failure()?.code ?? '')
  return (
    <>
      <Show when={!isOver()}>
        <p>{t('signIn.linkText')}</p>
      </Show>
      <Show when={action.failure()}>
        {(failure) => <SignInFailure failure={failure()} rejected="signIn.badLink" />}
      </Show>
      <Show when={!isOver()}>
        <Button tone="primary" isLoading={action.isRunning()} onClick={() => action.run(complete)}>
          {t('signIn.continue')}
        </Button>
      </Show>
      <ButtonLink tone={isOver() ? 'primary' : 'ghost'} href="/sign-in">
        {t(sessionState() === 'signed-in' ? 'shell.notFoundAction' : 'signIn.anotherWay')}
      </ButtonLink>
    </>
  )
}

function SignInForm(props: { readonly isJoining: boolean }): JSX.Element {
  const [way, setWay] = createSignal<'password' | 'link'>('password')
  const [email, setEmail] = createSignal('')
  const [password, setPassword] = createSignal('')
  const [mailedTo, setMailedTo] = createSignal('')
  // The failure of one way is not shown with the other.
  const actions = { password: createAction(), link: createAction() }
  const action = () => actions[way()]
  const submit = async (): Promise<void> => {
    if (way() === 'link') {
      keepPage()
      await authClient.requestMagicLink({ email: email() })
      setMailedTo(email())
      return
    }
    await completePasswordSignIn(email(), password())
  }
  return (
    <Show when={mailedTo() === ''} fallback={<LinkSent email={mailedTo()} onBack={() => setMailedTo('')} />}>
      <Show when={props.isJoining}>
        <p>{t('signIn.joinText')}</p>
      </Show>
      <Show when={hasSessionEnded()}>
        <p role="status">{t('signIn.ended')}</p>
      </Show>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          action().run(submit)
        }}
      >
        <Input
          label={t('signIn.email')}
          type="email"
          autocomplete="username"
          required
          value={email()}
          onInput={setEmail}
        />
        <Show when={way() === 'password'}>
          <Input
            label={t('signIn.password')}
            type="password"
            autocomplete="current-password"
            required
            value={password()}
            onInput={setPassword}
          />
        </Show>
        <Show when={action().failure()}>
          {(failure) => <SignInFailure failure={failure()} rejected="signIn.wrongPassword" />}
        </Show>
        <Button type="submit" tone="primary" isLoading={action().isRunning()}>
          {t(way() === 'password' ? 'signIn.continue' : 'signIn.sendLink')}
        </Button>
      </form>
      <p class="sign-in-or" aria-hidden="true">
        {t('signIn.or')}
      </p>
      <Button onClick={() => setWay(way() === 'password' ? 'link' : 'password')}>
        {t(way() === 'password' ? 'signIn.byLink' : 'signIn.byPassword')}
      </Button>
      <ProviderButtons />
    </Show>
  )
}

function LinkSent(props: { readonly email: string; readonly onBack: () => void }): JSX.Element {
  return (
    <>
      <div role="status">
        <p class="sign-in-sent">{t('signIn.linkSent')}</p>
        <p>{t('signIn.linkSentText', { email: props.email })}</p>
      </div>
      <Button onClick={() => props.onBack()}>{t('common.back')}</Button>
    </>
  )
}
