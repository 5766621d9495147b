import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type Channel, ChannelsService } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import Bell from 'lucide-solid/icons/bell'
import Plus from 'lucide-solid/icons/plus'
import { createSignal, type JSX, Show } from 'solid-js'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatShortMoment } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Loaded } from '../settings/loaded.tsx'
import { RoleNote } from '../settings/role-note.tsx'
import { ChannelDrawer } from './channel-drawer.tsx'
import { ChannelForm, type StoredChannel } from './channel-form.tsx'
import { refreshChannels, useChannels } from './channel-list.ts'
import { ChannelMenu } from './channel-menu.tsx'
import { ChannelIcon, StateBadge } from './channel-parts.tsx'
import { destinationOf, kindOf } from './channel-words.ts'
import './channels.css'
import './messages.ts'

/** The parameter of the address that names the open channel. */
const OPENED = 'channel'

interface Controls {
  /** Opens a channel; with a secret, it is shown there until the channel is closed. */
  readonly open: (channel: Channel, secret?: string) => void
  readonly edit: (channel: Channel | 'new') => void
}

/** The channels of the project: a list, the form of one, and one with its deliveries. */
export function ChannelSettings(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const channels = useChannels()
  const [edited, setEdited] = createSignal<Channel | 'new'>()
  const [secret, setSecret] = createSignal('')
  const openedId = (): string => currentLocation().query.get(OPENED) ?? ''
  const listed = (): readonly Channel[] => (channels.isSuccess ? channels.data : [])
  const opened = (): Channel | undefined => listed().find(({ id }) => id === openedId())
  const close = (): void => {
    setSecret('')
    replaceParameters({ [OPENED]: '' })
  }
  const controls: Controls = {
    open: ({ id }, shown = '') => {
      setSecret(shown)
      replaceParameters({ [OPENED]: id })
    },
    edit: (channel) => {
      close()
      setEdited(channel)
    },
  }
  const finish = async ({ channel, signingSecret }: StoredChannel, isNew: boolean): Promise<void> => {
    setEdited(undefined)
    await refreshChannels(workspace().project.id)
    if (!channel) return
    const { name } = channel
    showToast({ text: isNew ? t('channels.createdToast', { name }) : t('settings.saved') })
    controls.open(channel, signingSecret)
  }
  return (
    <>
      <ChannelsCard channels={channels} controls={controls} />
      <Show when={edited()} keyed>
        {(channel) => (
          <ChannelForm
            channel={channel === 'new' ? undefined : channel}
            onSaved={(stored) => void finish(stored, channel === 'new')}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Show>
      <Show when={!edited() && opened()}>
        {(channel) => (
          <ChannelDrawer
            channel={channel()}
            secret={secret()}
            onSecretClosed={() => setSecret('')}
            onEdit={() => controls.edit(channel())}
            onSecret={(shown) => controls.open(channel(), shown)}
            onClose={close}
          />
        )}
      </Show>
      <Show when={!may(ChannelsService.method.create)}>
        <RoleNote />
      </Show>
    </>
  )
}

function ChannelsCard(props: {
  readonly channels: ReturnType<typeof useChannels>
  readonly controls: Controls
}): JSX.Element {
  const may = useMay()
  const isAdmin = (): boolean => may(ChannelsService.method.create)
  const newChannel = (): JSX.Element => (
    <Button size="small" tone="primary" icon={<Plus />} onClick={() => props.controls.edit('new')}>
      {t('channels.new')}
    </Button>
  )
  const isEmpty = (): boolean => props.channels.isSuccess && props.channels.data.length === 0
  return (
    <Card
      title={t('settings.channels')}
      padding="none"
      actions={<Show when={isAdmin() && !isEmpty()}>{newChannel()}</Show>}
    >
      <Loaded query={props.channels}>
        {(list) => (
          <Show
            when={list().length > 0}
            fallback={
              <EmptyState
                icon={<Bell />}
                title={t('channels.none')}
                text={t('channels.noneText')}
                actions={<Show when={isAdmin()}>{newChannel()}</Show>}
              />
            }
          >
            <ChannelTable channels={list()} controls={props.controls} />
          </Show>
        )}
      </Loaded>
    </Card>
  )
}

function ChannelTable(props: {
  readonly channels: readonly Channel[]
  readonly controls: Controls
}): JSX.Element {
  const may = useMay()
  const columns: readonly Column<Channel, string>[] = [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: (channel) => <NameCell channel={channel} onOpen={() => props.controls.open(channel)} />,
    },
    { key: 'state', title: t('channels.state'), cell: (channel) => <StateCell channel={channel} /> },
    {
      key: 'actions',
      title: '',
      cell: (channel) => (
        <span class="settings-actions">
          <Show when={may(ChannelsService.method.update)}>
            <ChannelMenu
              channel={channel}
              onEdit={() => props.controls.edit(channel)}
              onSecret={(secret) => props.controls.open(channel, secret)}
            />
          </Show>
        </span>
      ),
    },
  ]
  return (
    <Table
      label={t('settings.channels')}
      rows={props.channels}
      columns={columns}
      onOpen={(channel) => props.controls.open(channel)}
      isSelected={({ id }) => currentLocation().query.get(OPENED) === id}
    />
  )
}

function NameCell(props: { readonly channel: Channel; readonly onOpen: () => void }): JSX.Element {
  return (
    <span class="channels-name">
      <span class="channels-icon">
        <ChannelIcon kind={kindOf(props.channel)} />
      </span>
      <span class="channels-words">
        <button type="button" class="channels-open ui-ellipsis" onClick={() => props.onOpen()}>
          {props.channel.name}
        </button>
        <span class="settings-quiet ui-ellipsis">{destinationOf(props.channel)}</span>
      </span>
    </span>
  )
}

function StateCell(props: { readonly channel: Channel }): JSX.Element {
  const workspace = useWorkspace()
  const since = (): string => {
    const { failingSince } = props.channel
    if (!failingSince) return ''
    const time = formatShortMoment(timestampMs(failingSince), workspace().timeZone)
    return t('channels.failingSince', { time })
  }
  return (
    <span class="channels-state">
      <StateBadge channel={props.channel} />
      <Show when={since()}>{(text) => <span class="settings-quiet">{text()}</span>}</Show>
    </span>
  )
}
