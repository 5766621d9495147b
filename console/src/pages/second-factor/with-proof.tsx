import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Failure } from '../../rpc/failure.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Input } from '../../ui/input.tsx'
import './messages.ts'
import { secondFactorsClient } from './second-factor-state.ts'

/** A call that waits for a proof of the second factor. */
interface Asked {
  readonly proved: () => void
  readonly cancelled: () => void
}

const [asked, setAsked] = createSignal<Asked>()

/** Makes a call that may need a recent proof of the second factor: asks for a code, and repeats it. Throws as the call. */
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
  return <Show when={asked()}>{(waiting) => <CodeDialog asked={waiting()} />}</Show>
}

function CodeDialog(props: { readonly asked: Asked }): JSX.Element {
  const prove = async (code: string): Promise<void> => {
    const { proved } = props.asked
    await secondFactorsClient.prove({ code })
    proved()
  }
  return (
    <AskCode
      title={t('secondFactor.proveTitle')}
      text={t('secondFactor.proveText')}
      verb={t('secondFactor.confirm')}
      onClose={() => props.asked.cancelled()}
      onCode={prove}
    />
  )
}

/** A dialog that asks for a code of the second factor. */
export function AskCode(props: {
  readonly title: string
  readonly text: string
  readonly verb: string
  readonly onClose: () => void
  readonly onCode: (code: string) => Promise<void>
}): JSX.Element {
  const [code, setCode] = createSignal('')
  return (
    <ActionDialog
      title={props.title}
      verb={props.verb}
      isBlocked={code().trim() === ''}
      onClose={() => props.onClose()}
      onAct={async () => await props.onCode(code())}
    >
      <p class="ui-dialog-text">{props.text}</p>
      <Input
        label={t('secondFactor.anyCode')}
        autocomplete="one-time-code"
        required
        maxLength={64}
        value={code()}
        onInput={setCode}
      />
    </ActionDialog>
  )
}
