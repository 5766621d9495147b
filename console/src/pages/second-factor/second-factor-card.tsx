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
import { RecoveryCodes } from './recovery-codes.tsx'
import './second-factor.css'
import { type SecondFactorState, secondFactorsClient, useSecondFactor } from './second-factor-state.ts'
import { SetUp } from './set-up.tsx'
import { AskCode } from './with-proof.tsx'

/** The second factor of the account: its set-up, its recovery codes and its end. */
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
  return (
    <Card title={t('secondFactor.title')}>
      <Show when={codes().length === 0} fallback={<RecoveryCodes codes={codes()} onSaved={finish} />}>
        <Loaded query={factor}>
          {(state) => (
            <div class="settings-fields">
              <p class="settings-text">{t('secondFactor.text')}</p>
              <Show when={state().requiredBy.length > 0}>
                <p class="settings-account">
                  <Badge tone="warn">
                    {t('secondFactor.requiredBy', { names: state().requiredBy.join(', ') })}
                  </Badge>
                </p>
              </Show>
              <Show
                when={state().hasTotp}
                fallback={
                  <SetUp
                    verb={t('secondFactor.setUp')}
                    tone="primary"
                    hasPassword={props.hasPassword}
                    onDone={setCodes}
                  />
                }
              >
                <Existing
                  state={state()}
                  timeZone={props.timeZone}
                  hasPassword={props.hasPassword}
                  onCodes={setCodes}
                  onRemoved={() => void factor.refetch()}
                />
              </Show>
            </div>
          )}
        </Loaded>
      </Show>
    </Card>
  )
}

function Existing(props: {
  readonly state: SecondFactorState
  readonly timeZone: string
  readonly hasPassword: boolean
  readonly onCodes: (codes: readonly string[]) => void
  readonly onRemoved: () => void
}): JSX.Element {
  const [asking, setAsking] = createSignal<'codes' | 'removal'>()
  const timeOf = (time: SecondFactorState['createTime']): string =>
    time ? formatMinute(timestampMs(time), props.timeZone) : ''
  return (
    <>
      <p class="settings-account">
        <Badge tone="good">
          {t('secondFactor.since', {
            time: timeOf(props.state.createTime),
            used: timeOf(props.state.lastUsedTime),
          })}
        </Badge>
        <Badge tone={props.state.recoveryCodesLeft > 2 ? 'neutral' : 'warn'}>
          {t('secondFactor.codesLeft', { count: props.state.recoveryCodesLeft })}
        </Badge>
      </p>
      <div class="second-factor-actions">
        <Button onClick={() => setAsking('codes')}>{t('secondFactor.newCodes')}</Button>
        <Show when={props.state.requiredBy.length === 0}>
          <Button tone="danger" onClick={() => setAsking('removal')}>
            {t('secondFactor.turnOff')}
          </Button>
        </Show>
      </div>
      <SetUp
        verb={t('secondFactor.otherApp')}
        tone="plain"
        hasPassword={props.hasPassword}
        onDone={props.onCodes}
      />
      <Switch>
        <Match when={asking() === 'codes'}>
          <AskCode
            title={t('secondFactor.newCodes')}
            text={t('secondFactor.newCodesText')}
            verb={t('secondFactor.newCodes')}
            onClose={() => setAsking(undefined)}
            onCode={async (code) => {
              const { recoveryCodes } = await secondFactorsClient.replaceRecoveryCodes({ code })
              setAsking(undefined)
              props.onCodes(recoveryCodes)
            }}
          />
        </Match>
        <Match when={asking() === 'removal'}>
          <AskCode
            title={t('secondFactor.turnOffAsk')}
            text={t('secondFactor.turnOffText')}
            verb={t('secondFactor.turnOff')}
            onClose={() => setAsking(undefined)}
            onCode={async (code) => {
              await secondFactorsClient.remove({ code })
              setAsking(undefined)
              showToast({ text: t('secondFactor.turnedOff') })
              props.onRemoved()
            }}
          />
        </Match>
      </Switch>
    </>
  )
}
