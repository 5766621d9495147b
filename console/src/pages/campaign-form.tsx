import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Campaign, CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { parseWallClock, readWallClock } from '@domain/calendar.ts'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { type FindProblem, Form } from '../ui/form.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'
import {
  encodeNotification,
  NEW_NOTIFICATION,
  type NotificationDraft,
  readNotification,
} from './campaign-notification.ts'

const campaignsClient = clientOf(CampaignService)

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
    if (!notificationData) throw invalid('notificationData', 'what else it has must be a JSON object')
    const ms = when() === 'now' ? Date.now() : parseWallClock(clock(), workspace().timeZone)
    if (ms === undefined) throw invalid('scheduledTime', 'must be a day and a time')
    const plan = { name: name(), notificationData, scheduledTime: timestampFromMs(ms) }
    const { onSaved, onClose } = props
    if (known) await campaignsClient.update({ id: known.id, ...plan })
    else await campaignsClient.create(plan)
    await onSaved()
    onClose()
  }
  return (
    <Drawer title={known ? 'Change the campaign' : 'New campaign'} onClose={props.onClose}>
      <Form submit={when() === 'now' ? 'Send to all devices' : 'Schedule'} onSubmit={save}>
        {(problem) => (
          <>
            <TextField
              label="Internal name"
              required
              value={name()}
              problem={problem('name')}
              onInput={setName}
            />
            <NotificationFields value={notification()} problem={problem} onChange={setNotification} />
            <SelectField
              label="When"
              value={when()}
              choices={[
                { value: 'now', label: 'Now' },
                { value: 'later', label: 'At a time' },
              ]}
              onChange={setWhen}
            />
            <Show when={when() === 'later'}>
              <TextField
                label={`Day and time in ${workspace().timeZone}`}
                type="datetime-local"
                required
                value={clock()}
                problem={problem('scheduledTime')}
                onInput={setClock}
              />
            </Show>
          </>
        )}
      </Form>
    </Drawer>
  )
}

function NotificationFields(props: {
  readonly value: NotificationDraft
  readonly problem: FindProblem
  readonly onChange: (value: NotificationDraft) => void
}): JSX.Element {
  const change = (part: Partial<NotificationDraft>): void => props.onChange({ ...props.value, ...part })
  return (
    <>
      <TextField label="Title" value={props.value.title} onInput={(title) => change({ title })} />
      <TextAreaField
        label="Text"
        value={props.value.body}
        problem={props.problem('notificationData')}
        onInput={(body) => change({ body })}
      />
      <TextField
        label="Address of an image (optional)"
        value={props.value.image}
        onInput={(image) => change({ image })}
      />
      <TextAreaField
        label="For the app: a JSON object (optional)"
        placeholder='{"data": {"screen": "offers"}}'
        value={props.value.more}
        onInput={(more) => change({ more })}
      />
    </>
  )
}

/** What can be seen to be wrong without asking the service. */
function invalid(field: string, description: string): Failure {
  const message = 'This cannot be sent yet.'
  return new Failure({ code: 'invalid_argument', message, violations: new Map([[field, description]]) })
}
