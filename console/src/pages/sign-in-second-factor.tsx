import KeyRound from 'lucide-solid/icons/key-round'
import { createResource, createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { type NameKey, t } from '../i18n/translate.ts'
import { Failure } from '../rpc/failure.ts'
import { callSession } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { readyOf } from '../ui/async.tsx'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { completeSecondFactor } from './complete-sign-in.ts'
import { usePasskey } from './second-factor/ask-browser.ts'
import { SignInFailure } from './sign-in-failure.tsx'
import './sign-in-messages.ts'

type Way = 'passkey' | 'app' | 'recovery'

const VERBS = {
  passkey: 'passkey.use',
  app: 'signIn.useApp',
  recovery: 'signIn.useRecovery',
} as const satisfies Record<Way, NameKey>

/** How this sign-in can go on, the easiest way first. */
async function readWays(): Promise<readonly Way[]> {
  const { hasTotp, passkeyOptions } = await callSession('StartSecondFactor', {})
  return [
    ...(passkeyOptions === '' ? [] : (['passkey'] as const)),
    ...(hasTotp === true ? (['app'] as const) : []),
    'recovery',
  ]
}

/** Completes a sign-in with a passkey, a code of the authenticator app or a recovery code. */
export function SecondFactorStep(props: {
  /** Starts over, with any way to sign in. */
  readonly onLeave: () => void
}): JSX.Element {
  const [ways] = createResource(readWays)
  return (
    <Switch fallback={<Spinner />}>
      <Match when={readyOf(ways)}>{(found) => <Steps ways={found()} onLeave={props.onLeave} />}</Match>
      <Match when={ways.state === 'errored'}>
        <SignInFailure failure={Failure.from(ways.error)} />
        <Button onClick={() => props.onLeave()}>{t('signIn.anotherWay')}</Button>
      </Match>
    </Switch>
  )
}

function Steps(props: { readonly ways: readonly Way[]; readonly onLeave: () => void }): JSX.Element {
  const [way, setWay] = createSignal<Way>(props.ways[0] ?? 'recovery')
  return (
    <>
      <Show when={way() !== 'passkey'} fallback={<PasskeyStep />}>
        <Show when={way()} keyed>
          {(kind) => <CodeStep kind={kind === 'app' ? 'app' : 'recovery'} />}
        </Show>
      </Show>
      <Show when={way() === 'recovery'}>
        <p>{t('signIn.lostFactor')}</p>
      </Show>
      <For each={props.ways.filter((other) => other !== way())}>
        {(other) => <Button onClick={() => setWay(other)}>{t(VERBS[other])}</Button>}
      </For>
      <Button tone="ghost" onClick={() => props.onLeave()}>
        {t('signIn.anotherWay')}
      </Button>
    </>
  )
}

function PasskeyStep(): JSX.Element {
  const action = createAction()
  const complete = async (): Promise<void> => {
    // The options of before may have expired, or been used.
    const { passkeyOptions = '' } = await callSession('StartSecondFactor', {})
    await completeSecondFactor({ passkey: await usePasskey(passkeyOptions) })
  }
  return (
    <>
      <p>{t('signIn.passkeyText')}</p>
      <Show when={action.failure()}>{(failure) => <SignInFailure failure={failure()} />}</Show>
      <Button
        tone="primary"
        icon={<KeyRound />}
        isLoading={action.isRunning()}
        onClick={() => action.run(complete)}
      >
        {t('passkey.use')}
      </Button>
    </>
  )
}

function CodeStep(props: { readonly kind: 'app' | 'recovery' }): JSX.Element {
  const [code, setCode] = createSignal('')
  const action = createAction()
  const isApp = (): boolean => props.kind === 'app'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        action.run(async () => await completeSecondFactor({ code: code() }))
      }}
    >
      <p>{t(isApp() ? 'signIn.factorText' : 'signIn.recoveryText')}</p>
      <Input
        label={t(isApp() ? 'signIn.factorCode' : 'signIn.recoveryCode')}
        inputMode={isApp() ? 'numeric' : 'text'}
        autocomplete="one-time-code"
        autocapitalize="none"
        autofocus
        required
        maxLength={64}
        value={code()}
        onInput={setCode}
      />
      <Show when={action.failure()}>{(failure) => <SignInFailure failure={failure()} />}</Show>
      <Button type="submit" tone="primary" isLoading={action.isRunning()}>
        {t('signIn.continue')}
      </Button>
    </form>
  )
}
