import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Failure } from '../../rpc/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { showToast } from '../../ui/toast.tsx'
import { FormLine } from '../settings/form-card.tsx'
import { createPasskey } from './ask-browser.ts'
import './messages.ts'
import { type SecondFactorState, secondFactorsClient } from './second-factor-state.ts'
import { withProof } from './with-proof.tsx'

interface AddProps {
  readonly hasPassword: boolean
  /** The recovery codes of a first factor; empty for a further one. */
  readonly onAdded: (recoveryCodes: readonly string[]) => void
}

/** Adds a passkey, or explains why this page cannot. */
export function AddPasskey(props: AddProps & { readonly state: SecondFactorState }): JSX.Element {
  const [isOpen, setOpen] = createSignal(false)
  const add = (recoveryCodes: readonly string[]): void => {
    setOpen(false)
    props.onAdded(recoveryCodes)
  }
  return (
    <Switch>
      <Match when={props.state.passkeyOrigin === ''}>
        <p class="settings-text">{t('passkey.unavailable')}</p>
      </Match>
      <Match when={props.state.passkeyOrigin !== location.origin}>
        <p class="settings-text">{t('passkey.otherOrigin', { origin: props.state.passkeyOrigin })}</p>
      </Match>
      <Match when={isOpen()}>
        <NewPasskey hasPassword={props.hasPassword} onAdded={add} />
      </Match>
      <Match when={true}>
        <Button class="settings-start" onClick={() => setOpen(true)}>
          {t('passkey.add')}
        </Button>
      </Match>
    </Switch>
  )
}

function NewPasskey(props: AddProps): JSX.Element {
  const [name, setName] = createSignal('')
  const [password, setPassword] = createSignal('')
  const [isProofDue, setProofDue] = createSignal(false)
  const start = async (currentPassword: string): Promise<string | undefined> => {
    try {
      return (await withProof(async () => await secondFactorsClient.startPasskey({ currentPassword })))
        .options
    } catch (thrown) {
      if (Failure.from(thrown).reason !== 'REAUTHENTICATION_REQUIRED') throw thrown
      setProofDue(true)
      return undefined
    }
  }
  const add = async (): Promise<void> => {
    const { onAdded } = props
    const displayName = name()
    const options = await start(password())
    if (options === undefined) return
    const passkey = await createPasskey(options)
    const { recoveryCodes } = await secondFactorsClient.confirmPasskey({ passkey, displayName })
    showToast({ text: t('passkey.added') })
    onAdded(recoveryCodes)
  }
  return (
    <Show
      when={props.hasPassword || !isProofDue()}
      fallback={
        <p class="settings-text" role="alert">
          {t('secondFactor.signInAgain')}
        </p>
      }
    >
      <FormLine submit={t('passkey.confirm')} done="" onSubmit={add}>
        {(problem) => (
          <>
            <Input
              label={t('passkey.name')}
              required
              maxLength={100}
              placeholder={t('passkey.example')}
              autofocus
              value={name()}
              problem={problem('displayName')}
              onInput={setName}
            />
            <Show when={isProofDue()}>
              <Input
                label={t('settings.currentPassword')}
                hint={t('secondFactor.password')}
                type="password"
                autocomplete="current-password"
                required
                value={password()}
                problem={problem('currentPassword')}
                onInput={setPassword}
              />
            </Show>
          </>
        )}
      </FormLine>
    </Show>
  )
}
