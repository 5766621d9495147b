import KeyRound from 'lucide-solid/icons/key-round'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Failure } from '../../rpc/failure.ts'
import { createAction } from '../../ui/action.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { isAtHost, usePasskey } from './ask-browser.ts'
import './messages.ts'
import './second-factor.css'
import { type Proof, secondFactorsClient, useSecondFactor } from './second-factor-state.ts'

/** A call that waits for a proof of the second factor. */
interface Asked {
  readonly proved: () => void
  readonly cancelled: () => void
}

const [asked, setAsked] = createSignal<Asked>()

/** Makes a call that may need a recent proof of the second factor: asks for one, and repeats it. Throws as the call. */
export async function withProof<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (thrown) {
    if (Failure.from(thrown).reason !== 'SECOND_FACTOR_PROOF_REQUIRED') throw thrown
    if (!(await askForProof())) throw thrown
    return await call()
  }
}

async function askForProof(): Promise<boolean> {
  // A second call takes the place of the first.
  asked()?.cancelled()
  try {
    return await new Promise<boolean>((resolve) => {
      setAsked({ proved: () => resolve(true), cancelled: () => resolve(false) })
    })
  } finally {
    setAsked(undefined)
  }
}

/** The dialog of {@link withProof}; pages whose calls use it have it once. */
export function ProofDialog(): JSX.Element {
  return <Show when={asked()}>{(waiting) => <Prove asked={waiting()} />}</Show>
}

function Prove(props: { readonly asked: Asked }): JSX.Element {
  const prove = async (proof: Proof): Promise<void> => {
    const { proved } = props.asked
    await secondFactorsClient.prove(proof)
    proved()
  }
  return (
    <AskProof
      title={t('secondFactor.proveTitle')}
      text={t('secondFactor.proveText')}
      verb={t('secondFactor.confirm')}
      onClose={() => props.asked.cancelled()}
      onProof={prove}
    />
  )
}

/** A dialog that asks for a proof of the second factor: a code, or a passkey if the account has one for this page. */
export function AskProof(props: {
  readonly title: string
  readonly text: string
  readonly verb: string
  readonly onClose: () => void
  readonly onProof: (proof: Proof) => Promise<void>
}): JSX.Element {
  const factor = useSecondFactor()
  const [code, setCode] = createSignal('')
  const hasPasskey = (): boolean =>
    factor.isSuccess && factor.data.passkeys.some(({ host }) => isAtHost(host))
  const hasApp = (): boolean => !factor.isSuccess || factor.data.hasTotp
  return (
    <ActionDialog
      title={props.title}
      verb={props.verb}
      isBlocked={code().trim() === ''}
      onClose={() => props.onClose()}
      onAct={async () => await props.onProof({ code: code() })}
    >
      <p class="ui-dialog-text">{props.text}</p>
      <Show when={hasPasskey()}>
        <PasskeyProof onProof={props.onProof} />
      </Show>
      <Input
        label={t(hasApp() ? 'secondFactor.anyCode' : 'secondFactor.recoveryCode')}
        autocomplete="one-time-code"
        required
        maxLength={64}
        value={code()}
        onInput={setCode}
      />
    </ActionDialog>
  )
}

function PasskeyProof(props: { readonly onProof: (proof: Proof) => Promise<void> }): JSX.Element {
  const action = createAction()
  const prove = async (): Promise<void> => {
    const { onProof } = props
    const { options } = await secondFactorsClient.startProof({})
    await onProof({ passkey: await usePasskey(options) })
  }
  return (
    <>
      <Button
        class="settings-start"
        icon={<KeyRound />}
        isLoading={action.isRunning()}
        onClick={() => action.run(prove)}
      >
        {t('passkey.use')}
      </Button>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </>
  )
}
