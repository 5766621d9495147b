import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/input.tsx'
import { ErrorState } from '../../ui/states.tsx'
import './messages.ts'
import { hasFactor, useSecondFactor } from './second-factor-state.ts'
import { withProof } from './with-proof.tsx'

const orgsClient = clientOf(OrgsService)

/** Whether the organisation requires a second factor; its admins need one of their own before. */
export function SecondFactorRule(): JSX.Element {
  const workspace = useWorkspace()
  const factor = useSecondFactor()
  const action = createAction()
  const hasOwn = (): boolean => factor.isSuccess && hasFactor(factor.data)
  const [isOn, setOn] = createSignal(workspace().org.secondFactorRequired)
  const change = async (required: boolean): Promise<void> => {
    const { org, reload } = workspace()
    setOn(required)
    try {
      await withProof(async () => await orgsClient.updateSecondFactor({ orgId: org.id, required }))
    } catch (thrown) {
      setOn(!required)
      throw thrown
    }
    await reload()
  }
  return (
    <Card title={t('secondFactor.title')}>
      <div class="settings-fields">
        <Switch
          label={t('secondFactor.rule')}
          isChecked={isOn()}
          isDisabled={!hasOwn() || action.isRunning()}
          onChange={(required) => action.run(async () => await change(required))}
        />
        <p class="settings-text">{t('secondFactor.ruleText')}</p>
        <Show when={factor.isSuccess && !hasOwn()}>
          <p class="settings-text">{t('secondFactor.ownFirst')}</p>
          <ButtonLink class="settings-start" href={`/p/${workspace().project.id}/settings/account`}>
            {t('secondFactor.openAccount')}
          </ButtonLink>
        </Show>
        <Show when={action.failure()}>
          {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
        </Show>
      </div>
    </Card>
  )
}
