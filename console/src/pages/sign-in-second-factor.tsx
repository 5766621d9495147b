import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { completeSecondFactor } from './complete-sign-in.ts'
import { SignInFailure } from './sign-in-failure.tsx'
import './sign-in-messages.ts'

/** Completes a sign-in with a code of the authenticator app or a recovery code. */
export function SecondFactorStep(props: {
  /** Starts over, with any way to sign in. */
  readonly onLeave: () => void
}): JSX.Element {
  const [way, setWay] = createSignal<'app' | 'recovery'>('app')
  const [code, setCode] = createSignal('')
  const action = createAction()
  const isApp = (): boolean => way() === 'app'
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          action.run(async () => await completeSecondFactor(code()))
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
      <Show when={!isApp()}>
        <p>{t('signIn.lostFactor')}</p>
      </Show>
      <Button
        onClick={() => {
          setCode('')
          setWay(isApp() ? 'recovery' : 'app')
        }}
      >
        {t(isApp() ? 'signIn.useRecovery' : 'signIn.useApp')}
      </Button>
      <Button tone="ghost" onClick={() => props.onLeave()}>
        {t('signIn.anotherWay')}
      </Button>
    </>
  )
}
