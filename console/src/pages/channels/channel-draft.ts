import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  Channel,
  ChannelsServiceCreateRequestSchema,
} from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { type ChannelKind, kindOf } from './channel-words.ts'

/** The addresses of a channel, at most. */
export const ADDRESSES_MAX = 20

/** A channel while it is edited. */
export interface ChannelDraft {
  readonly name: string
  readonly kind: ChannelKind
  /** One address a line; commas and semicolons separate too, because address books use them. */
  readonly addresses: string
  /** Empty keeps that of a stored channel. */
  readonly url: string
}

/** The draft of a new channel. */
export const NEW_CHANNEL: ChannelDraft = { name: '', kind: 'mail', addresses: '', url: '' }

/** The draft of a stored channel, whose URL the service does not return. */
export function readChannel(channel: Channel): ChannelDraft {
  const { name, target } = channel
  const addresses = target.case === 'mail' ? target.value.addresses.join('\n') : ''
  return { name, kind: kindOf(channel), addresses, url: '' }
}

/** The addresses of a text, each once. */
export function parseAddresses(text: string): readonly string[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  return [...new Set(parts)]
}

type Target = NonNullable<MessageInitShape<typeof ChannelsServiceCreateRequestSchema>['target']>

/** The name and the destination of a draft in a request. */
export function encodeChannel({ name, kind, addresses, url }: ChannelDraft): {
  readonly name: string
  readonly target: Target
} {
  const target: Target =
    kind === 'mail'
      ? { case: 'mail', value: { addresses: [...parseAddresses(addresses)] } }
      : { case: kind, value: { url: url.trim() } }
  return { name: name.trim(), target }
}
