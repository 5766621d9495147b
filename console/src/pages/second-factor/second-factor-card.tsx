import { timestampMs } from '@bufbuild/protobuf/wkt'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { formatMinute } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Loaded } from '../settings/loaded.tsx'
import './messages.ts'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import './second-factor.css'
import {
  hasFactor,
  type Proof,
  type SecondFactorState,
  secondFactorsClient,
  useSecondFactor,
} from './second-factor-state.ts'
import { SetUp } from './set-up.tsx'
import { AskProof } from './with-proof.tsx'

/** The second factor of the account: its app, its passkeys, its recovery codes and its end. */
export function SecondFactorCard(props: {
  readonly hasPassword: boolean
  readonly timeZone: string
  /** After a set-up, when the codes are saved. */
  readonly onChange?: () => void
}): JSX.Element {
  const factor = useSecondFactor()
  const [codes, setCodes] = createSignal<readonly string[]>([])
  const finish = (): void => {
    setCodes([])
    void factor.refetch()
    props.onChange?.()
  }
  const change = (recoveryCodes: readonly string[]): void => {
    if (recoveryCodes.length > 0) setCodes(recoveryCodes)
    else void factor.refetch()
  }
  return (
    <Card title={t('secondFactor.title')}>
      <Show when={codes().length === 0} fallback={<RecoveryCodes codes={codes()} onSaved={finish} />}>
        <Loaded query={factor}>
          {(state) => (
            <div class="second-factor-parts">
              <Summary state={state()} />
              <App
                state={state()}
                timeZone={props.timeZone}
                hasPassword={props.hasPassword}
                onChange={change}
              />
              <Passkeys
                state={state()}
                timeZone={props.timeZone}
                hasPassword={props.hasPassword}
                onChange={change}
              />
              <Show when={hasFactor(state())}>
                <Changes state={state()} onChange={change} />
              </Show>
            </div>
          )}
        </Loaded>
      </Show>
    </Card>
  )
}

function Summary(props: { readonly state: SecondFactorState }): JSX.Element {
  return (
    <div class="settings-fields">
      <p class="settings-text">{t('secondFactor.text')}</p>
      <Show when={props.state.requiredBy.length > 0 || hasFactor(props.state)}>
        <p class="settings-account">
          <Show when={props.state.requiredBy.length > 0}>
            <Badge tone="warn">
              {t('secondFactor.requiredBy', { names: props.state.requiredBy.join(', ') })}
            </Badge>
          </Show>
          <Show when={hasFactor(props.state)}>
            <Badge tone={props.state.recoveryCodesLeft > 2 ? 'neutral' : 'warn'}>
              {t('secondFactor.codesLeft', { count: props.state.recoveryCodesLeft })}
            </Badge>
          </Show>
        </p>
      </Show>
    </div>
  )
}

function App(props: {
  readonly state: SecondFactorState
  readonly timeZone: string
  readonly hasPassword: boolean
  readonly onChange: (recoveryCodes: readonly string[]) => void
}): JSX.Element {
  const timeOf = (time: SecondFactorState['createTime']): string =>
    time ? formatMinute(timestampMs(time), props.timeZone) : ''
  return (
    <section class="settings-fields" aria-label={t('secondFactor.app')}>
      <div class="settings-account">
        <h3 class="settings-strong">{t('secondFactor.app')}</h3>
        <Show
          when={props.state.hasTotp}
          fallback={<span class="settings-quiet">{t('secondFactor.appNone')}</span>}
        >
          <Badge tone="good">
            {t('secondFactor.since', {
              time: timeOf(props.state.createTime),
              used: timeOf(props.state.lastUsedTime),
            })}
          </Badge>
        </Show>
      </div>
      <SetUp
        verb={t(props.state.hasTotp ? 'secondFactor.otherApp' : 'secondFactor.setUp')}
        tone={hasFactor(props.state) ? 'plain' : 'primary'}
        hasPassword={props.hasPassword}
        onDone={props.onChange}
      />
    </section>
  )
}

/** New recovery codes, and the end of the second factor. */
function Changes(props: {
  readonly state: SecondFactorState
  readonly onChange: (recoveryCodes: readonly string[]) => void
}): JSX.Element {
  const [asking, setAsking] = createSignal<'codes' | 'removal'>()
  const renew = async (proof: Proof): Promise<void> => {
    const { recoveryCodes } = await secondFactorsClient.replaceRecoveryCodes(proof)
    setAsking(undefined)
    props.onChange(recoveryCodes)
  }
  const turnOff = async (proof: Proof): Promise<void> => {
    await secondFactorsClient.remove(proof)
    setAsking(undefined)
    showToast({ text: t('secondFactor.turnedOff') })
    props.onChange([])
  }
  return (
    <>
      <div class="second-factor-actions">
        <Button onClick={() => setAsking('codes')}>{t('secondFactor.newCodes')}</Button>
        <Show when={props.state.requiredBy.length === 0}>
          <Button tone="danger" onClick={() => setAsking('removal')}>
            {t('secondFactor.turnOff')}
          </Button>
        </Show>
      </div>
      <Switch>
        <Match when={asking() === 'codes'}>
          <AskProof
            title={t('secondFactor.newCodes')}
            text={t('secondFactor.newCodesText')}
            verb={t('secondFactor.newCodes')}
            onClose={() => setAsking(undefined)}
            onProof={renew}
          />
        </Match>
        <Match when={asking() === 'removal'}>
          <AskProof
            title={t('secondFactor.turnOffAsk')}
            text={t('secondFactor.turnOffText')}
            verb={t('secondFactor.turnOff')}
            onClose={() => setAsking(undefined)}
            onProof={turnOff}
          />
        </Match>
      </Switch>
    </>
  )
}
