import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Campaign, CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { parseWallClock, readWallClock } from '@domain/calendar.ts'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { Drawer } from '../ui/drawer-panel.tsx'
import { Input, TextArea } from '../ui/input.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import {
  encodeNotification,
  NEW_NOTIFICATION,
  type NotificationDraft,
  readNotification,
} from './campaign-notification.ts'
import { type FindProblem, FormStack } from './settings/form-card.tsx'

const campaignsClient = clientOf(CampaignService)

const MORE_EXAMPLE = '{"data": {"screen": "offers"}}'

type When = 'now' | 'later'

/** Writes a campaign, or changes one that waits. */
export function CampaignForm(props: {
  /** The one that is changed; without it a new one is made. */
  readonly campaign?: Campaign | undefined
  readonly onSaved: () => Promise<unknown>
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const known = props.campaign
  const [name, setName] = createSignal(known?.name ?? '')
  const [notification, setNotification] = createSignal(
    known ? readNotification(known.notificationData) : NEW_NOTIFICATION,
  )
  const [when, setWhen] = createSignal<When>(known ? 'later' : 'now')
  const startMs = known?.scheduledTime ? timestampMs(known.scheduledTime) : Date.now() + 3_600_000
  const [clock, setClock] = createSignal(readWallClock(startMs, workspace().timeZone))
  const save = async (): Promise<void> => {
    const notificationData = encodeNotification(notification())
    if (!notificationData)
      throw invalid('notificationData', t('settings.campaignMoreProblem', { example: MORE_EXAMPLE }))
    const ms = when() === 'now' ? Date.now() : parseWallClock(clock(), workspace().timeZone)
    if (ms === undefined) throw invalid('scheduledTime', t('settings.campaignDayProblem'))
    // The service sends one that is due at once, which a mistyped year should not.
    if (when() === 'later' && ms < Date.now())
      throw invalid('scheduledTime', t('settings.campaignPastProblem'))
    const plan = { name: name(), notificationData, scheduledTime: timestampFromMs(ms) }
    const { onSaved, onClose } = props
    if (known) await campaignsClient.update({ id: known.id, ...plan })
    else await campaignsClient.create(plan)
    await onSaved()
    onClose()
  }
  return (
    <Drawer
      title={t(known ? 'settings.campaignEdit' : 'settings.campaignNew')}
      isOpen={true}
      onClose={() => props.onClose()}
    >
      <FormStack
        submit={t(when() === 'now' ? 'settings.campaignSend' : 'settings.campaignSchedule')}
        done=""
        onSubmit={save}
      >
        {(problem) => (
          <>
            <Input
              label={t('settings.campaignName')}
              required
              value={name()}
              problem={problem('name')}
              onInput={setName}
            />
            <NotificationFields value={notification()} problem={problem} onChange={setNotification} />
            <SegmentedControl
              label={t('settings.campaignWhen')}
              choices={[
                { value: 'now', label: t('settings.campaignNow') },
                { value: 'later', label: t('settings.campaignLater') },
              ]}
              value={when()}
              onChange={setWhen}
            />
            <Show when={when() === 'later'}>
              <Input
                label={t('settings.campaignDay', { zone: workspace().timeZone })}
                type="datetime-local"
                required
                value={clock()}
                problem={problem('scheduledTime')}
                onInput={setClock}
              />
            </Show>
          </>
        )}
      </FormStack>
    </Drawer>
  )
}

function NotificationFields(props: {
  readonly value: NotificationDraft
  readonly problem: FindProblem
  readonly onChange: (value: NotificationDraft) => void
}): JSX.Element {
  const change = (part: Partial<NotificationDraft>): void => props.onChange({ ...props.value, ...part })
  /** Without other data, it is the text that is missing. */
  const problemAt = (field: 'title' | 'more'): string | undefined =>
    (props.value.more.trim() === '') === (field === 'title') ? props.problem('notificationData') : undefined
  return (
    <>
      <Input
        label={t('settings.campaignTitle')}
        value={props.value.title}
        problem={problemAt('title')}
        onInput={(title) => change({ title })}
      />
      <TextArea
        label={t('settings.campaignBody')}
        value={props.value.body}
        onInput={(body) => change({ body })}
      />
      <Input
        label={t('settings.optional', { label: t('settings.campaignImage') })}
        value={props.value.image}
        onInput={(image) => change({ image })}
      />
      <TextArea
        label={t('settings.optional', { label: t('settings.campaignMore') })}
        placeholder={MORE_EXAMPLE}
        value={props.value.more}
        problem={problemAt('more')}
        onInput={(more) => change({ more })}
      />
    </>
  )
}

/** The problems that the console finds without a request. */
function invalid(field: string, description: string): Failure {
  const violations = new Map([[field, description]])
  return new Failure({ code: 'invalid_argument', message: description, violations })
}
