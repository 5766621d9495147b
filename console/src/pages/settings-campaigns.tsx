import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Campaign, CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { createResource, createSignal, Index, type JSX, onCleanup, Show } from 'solid-js'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatMoment } from '../format/values.ts'
import { clientOf } from '../rpc/client.ts'
import { Async, Empty, readyOf } from '../ui/async.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CampaignForm } from './campaign-form.tsx'
import { PushCredentials } from './push-credentials.tsx'

const campaignsClient = clientOf(CampaignService)

const { create, update, delete: remove } = CampaignService.method

const POLL_MS = 3000

interface StatusWords {
  readonly label: string
  /** The label of its removal. */
  readonly removal: string
}

const STATUSES: Readonly<Record<string, StatusWords>> = {
  scheduled: { label: 'waits', removal: 'Cancel' },
  'in-progress': { label: 'is being sent', removal: 'Stop' },
  complete: { label: 'sent', removal: 'Delete' },
  fail: { label: 'failed', removal: 'Delete' },
}

function wordsOf({ status }: Campaign): StatusWords {
  return STATUSES[status] ?? { label: status, removal: 'Delete' }
}

/** Notifications to all devices of the project. */
export function CampaignSettings(): JSX.Element {
  return (
    <>
      <Campaigns />
      <PushCredentials />
      <Devices />
    </>
  )
}

/** The campaigns, polled while one of them is scheduled or being sent. */
function createCampaigns() {
  const [campaigns, { refetch }] = createResource(async () => (await campaignsClient.batchGet({})).campaigns)
  const mayChange = (): boolean =>
    readyOf(campaigns)?.some(({ status }) => status === 'scheduled' || status === 'in-progress') ?? false
  const timer = setInterval(() => {
    if (!document.hidden && !campaigns.loading && mayChange()) void refetch()
  }, POLL_MS)
  onCleanup(() => clearInterval(timer))
  return { campaigns, reread: async (): Promise<void> => void (await refetch()) }
}

function Campaigns(): JSX.Element {
  const may = useMay()
  const { campaigns, reread } = createCampaigns()
  const [written, setWritten] = createSignal<Campaign | 'new'>()
  const [removing, setRemoving] = createSignal<Campaign>()
  const writtenCampaign = (): Campaign | undefined => {
    const one = written()
    return one === 'new' ? undefined : one
  }
  return (
    <section class="card">
      <div class="row spread">
        <h2>Campaigns</h2>
        <Show when={may(create)}>
          <button type="button" class="button primary" onClick={() => setWritten('new')}>
            New campaign
          </button>
        </Show>
      </div>
      <Async of={campaigns} retry={() => void reread()}>
        {(list) => (
          <Show
            when={list().length > 0}
            fallback={<Empty title="No campaign yet">One goes to all active devices of the project.</Empty>}
          >
            <CampaignList campaigns={list()} onWrite={setWritten} onRemove={setRemoving} />
          </Show>
        )}
      </Async>
      <Show when={written()} keyed>
        <CampaignForm campaign={writtenCampaign()} onSaved={reread} onClose={() => setWritten(undefined)} />
      </Show>
      <Show when={removing()}>
        {(campaign) => (
          <RemoveCampaign campaign={campaign()} reread={reread} onClose={() => setRemoving(undefined)} />
        )}
      </Show>
    </section>
  )
}

function CampaignList(props: {
  readonly campaigns: readonly Campaign[]
  readonly onWrite: (campaign: Campaign) => void
  readonly onRemove: (campaign: Campaign) => void
}): JSX.Element {
  return (
    <ul class="plain-list">
      <Index each={props.campaigns}>
        {(campaign) => (
          <OneCampaign
            campaign={campaign()}
            onWrite={() => props.onWrite(campaign())}
            onRemove={() => props.onRemove(campaign())}
          />
        )}
      </Index>
    </ul>
  )
}

function OneCampaign(props: {
  readonly campaign: Campaign
  readonly onWrite: () => void
  readonly onRemove: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const moment = (time: Timestamp | undefined): string =>
    time ? formatMoment(timestampMs(time), workspace().timeZone) : ''
  const times = (): string => {
    const { scheduledTime, endTime } = props.campaign
    return endTime ? `ended ${moment(endTime)}` : `due ${moment(scheduledTime)}`
  }
  return (
    <li class="row spread ruled">
      <div>
        <strong>{props.campaign.name}</strong>{' '}
        <span class="badge" data-state={props.campaign.status}>
          {wordsOf(props.campaign).label}
        </span>
        <p class="quiet small">
          {times()} ({workspace().timeZone})
        </p>
      </div>
      <div class="row">
        <Show when={may(update) && props.campaign.status === 'scheduled'}>
          <button
            type="button"
            class="button"
            aria-label={`Edit ${props.campaign.name}`}
            onClick={() => props.onWrite()}
          >
            Edit
          </button>
        </Show>
        <Show when={may(remove)}>
          <button
            type="button"
            class="button danger"
            aria-label={`${wordsOf(props.campaign).removal} ${props.campaign.name}`}
            onClick={() => props.onRemove()}
          >
            {wordsOf(props.campaign).removal}
          </button>
        </Show>
      </div>
    </li>
  )
}

function RemoveCampaign(props: {
  readonly campaign: Campaign
  readonly reread: () => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const removeIt = async (): Promise<void> => {
    const { reread } = props
    await campaignsClient.delete({ id: props.campaign.id })
    await reread()
  }
  return (
    <ConfirmDialog
      title={`${wordsOf(props.campaign).removal} this campaign?`}
      submit={`${wordsOf(props.campaign).removal} the campaign`}
      onConfirm={removeIt}
      onClose={props.onClose}
    >
      <p>
        <strong>{props.campaign.name}</strong> is removed. Devices that were sent to keep what they got; no
        others are sent to.
      </p>
    </ConfirmDialog>
  )
}

function subscribeText(): string {
  return `curl ${location.origin}/sdk.devices.v1.DevicesService/Subscribe \\
  -H 'Content-Type: application/json' -H 'Connect-Protocol-Version: 1' \\
  -H 'x-api-key: pub_YOUR_PUBLIC_KEY' \\
  -d '{"deviceId": "device-1", "platform": "android", "token": "TOKEN_OF_FIREBASE", "profileExternalId": "customer-1"}'`
}

/** How apps register devices. Their tokens are secrets, so that there is no list. */
function Devices(): JSX.Element {
  return (
    <section class="card">
      <h2>Devices</h2>
      <p class="quiet">
        Apps register the devices that they run on, with a public key. The service keeps their tokens
        encrypted and shows them to nobody.
      </p>
      <CodeBlock label="What an app sends when it starts" text={subscribeText()} />
    </section>
  )
}
