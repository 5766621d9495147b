import type { Channel, ChannelDelivery } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import CircleAlert from 'lucide-solid/icons/circle-alert'
import CircleCheck from 'lucide-solid/icons/circle-check'
import Send from 'lucide-solid/icons/send'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { channelsClient, refreshChannels } from './channel-list.ts'
import { describeOutcome } from './channel-words.ts'
import './channels.css'
import './messages.ts'

/** Sends a test notification and shows the answer of each recipient. */
export function ChannelTest(props: { readonly channel: Channel }): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const [answers, setAnswers] = createSignal<readonly ChannelDelivery[]>([])
  const send = async (): Promise<void> => {
    setAnswers([])
    const { deliveries } = await channelsClient.test({ id: props.channel.id })
    setAnswers(deliveries)
    void refreshChannels(workspace().project.id)
  }
  return (
    <div class="channels-test">
      <div class="channels-test-line">
        <Button icon={<Send />} isLoading={action.isRunning()} onClick={() => action.run(send)}>
          {t('channels.test')}
        </Button>
        <p class="settings-quiet">{t('channels.testText')}</p>
      </div>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <div role="status">
        <Show when={answers().length > 0}>
          <ul class="channels-answers">
            <For each={answers()}>{(delivery) => <Answer delivery={delivery} />}</For>
          </ul>
        </Show>
      </div>
    </div>
  )
}

function Answer(props: { readonly delivery: ChannelDelivery }): JSX.Element {
  const isGood = (): boolean => props.delivery.error === ''
  return (
    <li data-tone={isGood() ? 'good' : 'bad'}>
      <Show when={isGood()} fallback={<CircleAlert size={15} />}>
        <CircleCheck size={15} />
      </Show>
      <span>
        <Show when={props.delivery.recipient}>{(recipient) => <strong>{recipient()} </strong>}</Show>
        {describeOutcome(props.delivery)}
      </span>
    </li>
  )
}
