import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Campaign,
  CampaignSchema,
  CampaignService,
} from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import Megaphone from 'lucide-solid/icons/megaphone'
import Plus from 'lucide-solid/icons/plus'
import { createSignal, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatMinute } from '../../format/values.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { keepRows } from '../../rpc/kept-rows.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { CampaignForm } from '../campaign-form.tsx'
import { PushCredentials } from '../push-credentials.tsx'
import { Loaded } from './loaded.tsx'
import { RoleNote } from './role-note.tsx'

const campaignsClient = clientOf(CampaignService)

const { create, update, delete: deleteMethod } = CampaignService.method

const POLL_MS = 3000

interface StatusWords {
  readonly label: NameKey
  readonly tone: BadgeTone
  /** The verb that removes it. */
  readonly removal: NameKey
}

const STATUSES: Readonly<Record<string, StatusWords>> = {
  scheduled: { label: 'settings.campaignScheduled', tone: 'info', removal: 'settings.campaignCancel' },
  'in-progress': { label: 'settings.campaignSending', tone: 'accent', removal: 'settings.campaignStop' },
  complete: { label: 'settings.campaignSent', tone: 'good', removal: 'settings.campaignDelete' },
  fail: { label: 'settings.campaignFailed', tone: 'bad', removal: 'settings.campaignDelete' },
}

const UNKNOWN: StatusWords = {
  label: 'settings.withUnknown',
  tone: 'neutral',
  removal: 'settings.campaignDelete',
}

function wordsOf({ status }: Campaign): StatusWords {
  return STATUSES[status] ?? UNKNOWN
}

function mayChange({ status }: Campaign): boolean {
  return status === 'scheduled' || status === 'in-progress'
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

function Campaigns(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [written, setWritten] = createSignal<Campaign | 'new'>()
  const [removing, setRemoving] = createSignal<Campaign>()
  const campaigns = useQuery(() => ({
    queryKey: ['campaigns', workspace().project.id],
    queryFn: async () => (await campaignsClient.batchGet({})).campaigns,
    refetchInterval: ({ state }: { readonly state: { readonly data: readonly Campaign[] | undefined } }) =>
      state.data?.some(mayChange) ? POLL_MS : (false as const),
  }))
  const reread = async (): Promise<void> => void (await campaigns.refetch())
  return (
    <>
      <Card
        title={t('settings.campaigns')}
        padding="none"
        actions={
          <Show when={may(create)}>
            <Button size="small" tone="primary" icon={<Plus />} onClick={() => setWritten('new')}>
              {t('settings.campaignNew')}
            </Button>
          </Show>
        }
      >
        <Loaded query={campaigns}>
          {(list) => (
            <Show
              when={list().length > 0}
              fallback={
                <EmptyState
                  icon={<Megaphone />}
                  title={t('settings.campaignNone')}
                  text={t('settings.campaignsText')}
                />
              }
            >
              <CampaignTable campaigns={list()} onWrite={setWritten} onRemove={setRemoving} />
            </Show>
          )}
        </Loaded>
        <Show when={!may(create)}>
          <div class="settings-pad">
            <RoleNote />
          </div>
        </Show>
      </Card>
      <Show when={written()} keyed>
        {(campaign) => (
          <CampaignForm
            campaign={campaign === 'new' ? undefined : campaign}
            onSaved={reread}
            onClose={() => setWritten(undefined)}
          />
        )}
      </Show>
      <Show when={removing()} keyed>
        {(campaign) => (
          <RemoveCampaign campaign={campaign} reread={reread} onClose={() => setRemoving(undefined)} />
        )}
      </Show>
    </>
  )
}

function CampaignTable(props: {
  readonly campaigns: readonly Campaign[]
  readonly onWrite: (campaign: Campaign) => void
  readonly onRemove: (campaign: Campaign) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const moment = (time: Timestamp | undefined): string =>
    time ? formatMinute(timestampMs(time), workspace().timeZone) : ''
  const timeOf = ({ scheduledTime, endTime }: Campaign): string =>
    endTime
      ? t('settings.campaignEnded', { time: moment(endTime) })
      : t('settings.campaignDue', { time: moment(scheduledTime) })
  const columns: readonly Column<Campaign, string>[] = [
    { key: 'name', title: t('common.name'), kind: 'wide', cell: ({ name }) => name },
    {
      key: 'status',
      title: t('settings.campaignStatus'),
      cell: (campaign) => <Badge tone={wordsOf(campaign).tone}>{t(wordsOf(campaign).label)}</Badge>,
    },
    { key: 'time', title: t('settings.campaignTime'), cell: timeOf },
    {
      key: 'change',
      title: '',
      cell: (campaign) => (
        <span class="settings-actions">
          <Show when={may(update) && campaign.status === 'scheduled'}>
            <Button
              size="small"
              aria-label={t('settings.campaignEditNamed', { name: campaign.name })}
              onClick={() => props.onWrite(campaign)}
            >
              {t('common.edit')}
            </Button>
          </Show>
          <Show when={may(deleteMethod)}>
            <Button
              size="small"
              tone="danger"
              aria-label={t('settings.campaignRemoveNamed', {
                verb: t(wordsOf(campaign).removal),
                name: campaign.name,
              })}
              onClick={() => props.onRemove(campaign)}
            >
              {t(wordsOf(campaign).removal)}
            </Button>
          </Show>
        </span>
      ),
    },
  ]
  const rows = keepRows(CampaignSchema, () => props.campaigns)
  return <Table label={t('settings.campaigns')} rows={rows()} columns={columns} />
}

function RemoveCampaign(props: {
  readonly campaign: Campaign
  readonly reread: () => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const remove = async (): Promise<void> => {
    const { reread, campaign } = props
    await campaignsClient.delete({ id: campaign.id })
    await reread()
  }
  return (
    <ConfirmDialog
      title={`${t(wordsOf(props.campaign).removal)}?`}
      text={t('settings.campaignRemoveText', { name: props.campaign.name })}
      verb={t(wordsOf(props.campaign).removal)}
      isOpen={true}
      onClose={() => props.onClose()}
      onConfirm={remove}
    />
  )
}

function subscribeText(): string {
  return `curl ${location.origin}/sdk.devices.v1.DevicesService/Subscribe \\
  -H 'Content-Type: application/json' -H 'Connect-Protocol-Version: 1' \\
  -H 'x-api-key: pub_YOUR_PUBLIC_KEY' \\
  -d '{"deviceId": "device-1", "platform": "android", "token": "TOKEN_OF_FIREBASE", "profileExternalId": "customer-1"}'`
}

/** Instructions for apps that register devices. Device tokens are secrets, so there is no list. */
function Devices(): JSX.Element {
  return (
    <Card title={t('settings.devices')}>
      <div class="settings-fields">
        <p class="settings-text">{t('settings.devicesText')}</p>
        <section class="settings-code" tabindex="0" aria-label={t('settings.devicesCode')}>
          <pre>
            <code>{subscribeText()}</code>
          </pre>
        </section>
      </div>
    </Card>
  )
}
