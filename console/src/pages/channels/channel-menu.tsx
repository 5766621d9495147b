import type { Channel } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import KeyRound from 'lucide-solid/icons/key-round'
import Pencil from 'lucide-solid/icons/pencil'
import Power from 'lucide-solid/icons/power'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { writeFailure } from '../../rpc/failure-text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { channelsClient, refreshChannels } from './channel-list.ts'
import { kindOf } from './channel-words.ts'
import './messages.ts'

/** What an admin may do with a channel. */
export function ChannelMenu(props: {
  readonly channel: Channel
  readonly onEdit: () => void
  /** Shows a signing secret that was replaced. */
  readonly onSecret: (secret: string) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const [asked, setAsked] = createSignal<'rotate' | 'delete'>()
  const reread = async (): Promise<void> => await refreshChannels(workspace().project.id)
  const change = (part: { readonly enabled?: boolean; readonly rotateSigningSecret?: boolean }) => {
    const { id, name, enabled } = props.channel
    return channelsClient.update({ id, name, enabled, ...part })
  }
  const toggle = async (): Promise<void> => {
    const { name, enabled } = props.channel
    try {
      await change({ enabled: !enabled })
      showToast({ text: t(enabled ? 'channels.disabledToast' : 'channels.enabledToast', { name }) })
      await reread()
    } catch (thrown) {
      showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
    }
  }
  const rotate = async (): Promise<void> => {
    const { onSecret } = props
    const { signingSecret } = await change({ rotateSigningSecret: true })
    setAsked(undefined)
    onSecret(signingSecret)
    void reread()
  }
  const remove = async (): Promise<void> => {
    const { id, name } = props.channel
    await channelsClient.delete({ id })
    showToast({ text: t('channels.deletedToast', { name }), tone: 'neutral' })
    void reread()
  }
  const entries = (): readonly MenuEntry[] => [
    { label: t('common.edit'), icon: () => <Pencil />, onSelect: () => props.onEdit() },
    ...(kindOf(props.channel) === 'webhook'
      ? [{ label: t('channels.rotate'), icon: () => <KeyRound />, onSelect: () => setAsked('rotate') }]
      : []),
    {
      label: t(props.channel.enabled ? 'channels.disable' : 'channels.enable'),
      icon: () => <Power />,
      onSelect: () => void toggle(),
    },
    'line',
    {
      label: t('channels.delete'),
      icon: () => <Trash />,
      tone: 'danger',
      onSelect: () => setAsked('delete'),
    },
  ]
  return (
    <>
      <Menu
        placement="bottom-end"
        trigger={(attributes) => (
          <IconButton
            {...attributes}
            tone="ghost"
            size="small"
            name={t('channels.actions', { name: props.channel.name })}
          >
            <Ellipsis />
          </IconButton>
        )}
        entries={entries()}
      />
      <Show when={asked() === 'rotate'}>
        <ActionDialog
          title={t('channels.rotateAsk', { name: props.channel.name })}
          verb={t('channels.rotateVerb')}
          isBlocked={false}
          onClose={() => setAsked(undefined)}
          onAct={rotate}
        >
          <p class="ui-dialog-text">{t('channels.rotateText')}</p>
        </ActionDialog>
      </Show>
      <ConfirmDialog
        title={t('channels.deleteAsk', { name: props.channel.name })}
        text={t('channels.deleteText')}
        verb={t('channels.deleteVerb')}
        isOpen={asked() === 'delete'}
        onClose={() => setAsked(undefined)}
        onConfirm={remove}
      />
    </>
  )
}
