import type { SecondFactorsServiceStartTotpResponse } from '@contract/millrace/account/v1/second_factors_service_pb.js'
import { createSignal, type JSX, Match, Show, Suspense, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Failure } from '../../rpc/failure.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { lazy } from '../../ui/lazy.ts'
import { ErrorState, SkeletonBlock } from '../../ui/states.tsx'
import { FormStack } from '../settings/form-card.tsx'
import './messages.ts'
import { secondFactorsClient } from './second-factor-state.ts'
import { withProof } from './with-proof.tsx'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

type Started = SecondFactorsServiceStartTotpResponse

/** The set-up of an authenticator app: proof of the account, the key, and a first code. */
export function SetUp(props: {
  /** The text of the button that starts. */
  readonly verb: string
  readonly tone: 'primary' | 'plain'
  readonly hasPassword: boolean
  readonly onDone: (recoveryCodes: readonly string[]) => void
}): JSX.Element {
  const action = createAction()
  const [started, setStarted] = createSignal<Started>()
  const [isProofDue, setProofDue] = createSignal(false)
  const start = async (currentPassword: string): Promise<void> => {
    setStarted(await withProof(async () => await secondFactorsClient.startTotp({ currentPassword })))
    setProofDue(false)
  }
  const begin = async (): Promise<void> => {
    try {
      await start('')
    } catch (thrown) {
      if (Failure.from(thrown).reason !== 'REAUTHENTICATION_REQUIRED') throw thrown
      setProofDue(true)
    }
  }
  return (
    <Switch>
      <Match when={started()}>{(found) => <Scan started={found()} onDone={props.onDone} />}</Match>
      <Match when={isProofDue() && !props.hasPassword}>
        <p class="settings-text" role="alert">
          {t('secondFactor.signInAgain')}
        </p>
      </Match>
      <Match when={isProofDue()}>
        <PasswordProof onSubmit={start} />
      </Match>
      <Match when={true}>
        <Button
          tone={props.tone}
          class="settings-start"
          isLoading={action.isRunning()}
          onClick={() => action.run(begin)}
        >
          {props.verb}
        </Button>
        <Show when={action.failure()}>
          {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
        </Show>
      </Match>
    </Switch>
  )
}

function PasswordProof(props: { readonly onSubmit: (password: string) => Promise<void> }): JSX.Element {
  const [password, setPassword] = createSignal('')
  return (
    <FormStack
      submit={t('secondFactor.setUp')}
      done=""
      onSubmit={async () => await props.onSubmit(password())}
    >
      {(problem) => (
        <>
          <p class="settings-text">{t('secondFactor.password')}</p>
          <Input
            label={t('settings.currentPassword')}
            type="password"
            autocomplete="current-password"
            required
            value={password()}
            problem={problem('currentPassword')}
            onInput={setPassword}
          />
        </>
      )}
    </FormStack>
  )
}

function Scan(props: {
  readonly started: Started
  readonly onDone: (recoveryCodes: readonly string[]) => void
}): JSX.Element {
  const [code, setCode] = createSignal('')
  const confirm = async (): Promise<void> => {
    const { onDone, started } = props
    const { recoveryCodes } = await secondFactorsClient.confirmTotp({
      attempt: started.attempt,
      code: code(),
    })
    onDone(recoveryCodes)
  }
  return (
    <FormStack submit={t('secondFactor.turnOn')} done="" onSubmit={confirm}>
      {(problem) => (
        <>
          <p class="settings-text">{t('secondFactor.scan')}</p>
          <Suspense fallback={<SkeletonBlock heightPx={180} />}>
            <QrCode text={props.started.uri} />
          </Suspense>
          <Input
            label={t('secondFactor.key')}
            readOnly
            spellcheck={false}
            value={props.started.secret}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Input
            label={t('secondFactor.code')}
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            maxLength={8}
            value={code()}
            problem={problem('code')}
            onInput={setCode}
          />
        </>
      )}
    </FormStack>
  )
}
