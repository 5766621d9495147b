import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Passkey } from '@contract/millrace/account/v1/second_factors_service_pb.js'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { formatMinute } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { showToast } from '../../ui/toast.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { isAtHost } from './ask-browser.ts'
import './messages.ts'
import { type Proof, type SecondFactorState, secondFactorsClient } from './second-factor-state.ts'
import { AskProof } from './with-proof.tsx'

/** The passkeys of the account, and a button that adds one. */
export function Passkeys(props: {
  readonly state: SecondFactorState
  readonly timeZone: string
  readonly hasPassword: boolean
  /** The recovery codes of a first factor; empty after any other change. */
  readonly onChange: (recoveryCodes: readonly string[]) => void
}): JSX.Element {
  const [opened, setOpened] = createSignal<{ readonly passkey: Passkey; readonly to: 'rename' | 'remove' }>()
  const close = (): void => void setOpened(undefined)
  const finish = (): void => {
    close()
    props.onChange([])
  }
  const isLast = (): boolean => props.state.passkeys.length === 1 && !props.state.hasTotp
  const isKept = (): boolean => isLast() && props.state.requiredBy.length > 0
  return (
    <section class="settings-fields" aria-label={t('passkey.title')}>
      <h3 class="settings-strong">{t('passkey.title')}</h3>
      <p class="settings-text">{t('passkey.text')}</p>
      <Show when={props.state.passkeys.length > 0}>
        <ul class="second-factor-passkeys">
          <For each={props.state.passkeys}>
            {(passkey) => (
              <PasskeyLine
                passkey={passkey}
                timeZone={props.timeZone}
                isKept={isKept()}
                onOpen={(to) => setOpened({ passkey, to })}
              />
            )}
          </For>
        </ul>
      </Show>
      <AddPasskey state={props.state} hasPassword={props.hasPassword} onAdded={props.onChange} />
      <Switch>
        <Match when={opened()?.to === 'rename' && opened()?.passkey} keyed>
          {(passkey) => <Rename passkey={passkey} onClose={close} onDone={finish} />}
        </Match>
        <Match when={opened()?.to === 'remove' && opened()?.passkey} keyed>
          {(passkey) => <Removal passkey={passkey} onClose={close} onDone={finish} />}
        </Match>
      </Switch>
    </section>
  )
}

function PasskeyLine(props: {
  readonly passkey: Passkey
  readonly timeZone: string
  /** Whether it must stay. */
  readonly isKept: boolean
  readonly onOpen: (to: 'rename' | 'remove') => void
}): JSX.Element {
  const timeOf = (time: Passkey['createTime']): string =>
    time ? formatMinute(timestampMs(time), props.timeZone) : ''
  const use = (): string => {
    const { createTime, lastUsedTime } = props.passkey
    const time = timeOf(createTime)
    return lastUsedTime
      ? t('passkey.used', { time, used: timeOf(lastUsedTime) })
      : t('passkey.since', { time })
  }
  const name = () => ({ name: props.passkey.displayName })
  return (
    <li>
      <span class="second-factor-passkey">
        <span class="settings-strong ui-ellipsis">{props.passkey.displayName}</span>
        <span class="settings-quiet">{use()}</span>
      </span>
      <Show when={!isAtHost(props.passkey.host)}>
        <Badge tone="warn">{t('passkey.elsewhere', { host: props.passkey.host })}</Badge>
      </Show>
      <span class="second-factor-actions">
        <Button
          size="small"
          aria-label={t('passkey.renameOf', name())}
          onClick={() => props.onOpen('rename')}
        >
          {t('passkey.rename')}
        </Button>
        <Show when={!props.isKept}>
          <Button
            size="small"
            tone="danger"
            aria-label={t('passkey.removeOf', name())}
            onClick={() => props.onOpen('remove')}
          >
            {t('passkey.remove')}
          </Button>
        </Show>
      </span>
    </li>
  )
}

interface DialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
  readonly onDone: () => void
}

function Rename(props: DialogProps): JSX.Element {
  const [name, setName] = createSignal(props.passkey.displayName)
  const rename = async (): Promise<void> => {
    const { onDone, passkey } = props
    await secondFactorsClient.renamePasskey({ id: passkey.id, displayName: name() })
    onDone()
  }
  return (
    <ActionDialog
      title={t('passkey.renameOf', { name: props.passkey.displayName })}
      verb={t('passkey.rename')}
      isBlocked={name().trim() === ''}
      onClose={() => props.onClose()}
      onAct={rename}
    >
      <Input label={t('passkey.name')} required maxLength={100} value={name()} onInput={setName} />
    </ActionDialog>
  )
}

function Removal(props: DialogProps): JSX.Element {
  const remove = async (proof: Proof): Promise<void> => {
    const { onDone, passkey } = props
    await secondFactorsClient.removePasskey({ id: passkey.id, ...proof })
    showToast({ text: t('passkey.removed') })
    onDone()
  }
  return (
    <AskProof
      title={t('passkey.removeAsk', { name: props.passkey.displayName })}
      text={t('passkey.removeText')}
      verb={t('passkey.remove')}
      onClose={() => props.onClose()}
      onProof={remove}
    />
  )
}
