import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Channel } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import Mail from 'lucide-solid/icons/mail'
import MessageSquare from 'lucide-solid/icons/message-square'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import Webhook from 'lucide-solid/icons/webhook'
import { type Component, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { useWorkspace } from '../../context/workspace.ts'
import { formatShortMoment } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { type ChannelKind, STATES, stateOf } from './channel-words.ts'
import './channels.css'
import './messages.ts'

const ICONS = {
  mail: Mail,
  slack: MessageSquare,
  webhook: Webhook,
} as const satisfies Record<ChannelKind, Component<{ readonly size?: number }>>

/** The icon of a kind of channel. */
export function ChannelIcon(props: { readonly kind: ChannelKind }): JSX.Element {
  return <Dynamic component={ICONS[props.kind]} size={16} />
}

/** The state of a channel in a word. */
export function StateBadge(props: { readonly channel: Channel }): JSX.Element {
  const state = () => STATES[stateOf(props.channel)]
  return <Badge tone={state().tone}>{t(state().label)}</Badge>
}

const NOTES = {
  disabled: 'channels.disabledByYou',
  disabledFailing: 'channels.disabledFailing',
  disabledGone: 'channels.disabledGone',
} as const

/** What a state other than `active` means, and what to do. */
export function StateNote(props: { readonly channel: Channel }): JSX.Element {
  const workspace = useWorkspace()
  const text = (): string => {
    const state = stateOf(props.channel)
    const { failingSince } = props.channel
    if (state === 'active') return ''
    if (state !== 'failing') return t(NOTES[state])
    const time = failingSince ? formatShortMoment(timestampMs(failingSince), workspace().timeZone) : ''
    return t('channels.failingText', { time })
  }
  return (
    <Show when={text()}>
      {(note) => (
        <p class="channels-note" data-tone={STATES[stateOf(props.channel)].tone}>
          <TriangleAlert size={15} />
          <span>{note()}</span>
        </p>
      )}
    </Show>
  )
}
