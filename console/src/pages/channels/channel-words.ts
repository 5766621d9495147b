import {
  type Channel,
  type ChannelDelivery,
  DeliveryState,
  DisabledReason,
} from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { type NameKey, t } from '../../i18n/translate.ts'
import type { BadgeTone } from '../../ui/badge.tsx'
import './messages.ts'

/** The kinds of channels. */
export const KINDS = {
  mail: 'channels.mail',
  slack: 'channels.slack',
  webhook: 'channels.webhook',
} as const satisfies Record<string, NameKey>

/** A kind of channel. */
export type ChannelKind = keyof typeof KINDS

/** The state of a channel: one that the service disabled has a reason. */
export type ChannelState = 'active' | 'failing' | 'disabled' | 'disabledFailing' | 'disabledGone'

const DISABLED = {
  [DisabledReason.UNSPECIFIED]: 'disabled',
  [DisabledReason.FAILING]: 'disabledFailing',
  [DisabledReason.GONE]: 'disabledGone',
} as const satisfies Record<DisabledReason, ChannelState>

/** The badges of states. */
export const STATES = {
  active: { label: 'channels.active', tone: 'good' },
  failing: { label: 'channels.failing', tone: 'warn' },
  disabled: { label: 'channels.disabled', tone: 'neutral' },
  disabledFailing: { label: 'channels.disabled', tone: 'bad' },
  disabledGone: { label: 'channels.disabled', tone: 'bad' },
} as const satisfies Record<ChannelState, { readonly label: NameKey; readonly tone: BadgeTone }>

/** The badges of deliveries. */
export const DELIVERY_STATES = {
  [DeliveryState.UNSPECIFIED]: { label: 'channels.pending', tone: 'neutral' },
  [DeliveryState.PENDING]: { label: 'channels.pending', tone: 'info' },
  [DeliveryState.DELIVERED]: { label: 'channels.delivered', tone: 'good' },
  [DeliveryState.FAILED]: { label: 'channels.failed', tone: 'bad' },
} as const satisfies Record<DeliveryState, { readonly label: NameKey; readonly tone: BadgeTone }>

/** The state of a channel. */
export function stateOf({ enabled, disabledReason, failingSince }: Channel): ChannelState {
  if (!enabled) return DISABLED[disabledReason]
  return failingSince ? 'failing' : 'active'
}

/** The kind of a channel. */
export function kindOf({ target }: Channel): ChannelKind {
  return target.case ?? 'webhook'
}

/** The destination of a channel: its mail addresses, or what the service returns of its URL. */
export function destinationOf({ target }: Channel): string {
  if (target.case === 'mail') return target.value.addresses.join(', ')
  return target.value?.maskedUrl ?? ''
}

const TYPES: readonly (readonly [start: string, text: NameKey])[] = [
  ['channel.test', 'channels.typeTest'],
  ['alert.', 'channels.typeAlert'],
  ['report.', 'channels.typeReport'],
]

/** The type of a notification in words; one without words as it is sent. */
export function nameOfType(type: string): string {
  const text = TYPES.find(([start]) => type.startsWith(start))?.[1]
  return text === undefined ? type : t(text)
}

/** The reasons of failures, by the words of the service. */
const ERRORS: readonly (readonly [words: string, text: NameKey])[] = [
  ['the host has no address', 'channels.errorNoHost'],
  ['the host has no public address', 'channels.errorPrivate'],
  ['the host cannot be reached', 'channels.errorUnreachable'],
  ['the host offers no TLS', 'channels.errorTls'],
  ['the host did not respond in time', 'channels.errorSlow'],
  ['the response is too large', 'channels.errorLarge'],
  ['the channel is disabled', 'channels.errorDisabled'],
  ['too many deliveries wait', 'channels.errorFull'],
  ['other deliveries of the channel failed', 'channels.errorDay'],
  ['an internal error occurred', 'channels.errorInternal'],
]

/** Why the last attempt failed, in the language of the reader; a mail server in its own words. */
export function describeError({ error, status }: Pick<ChannelDelivery, 'error' | 'status'>): string {
  const known = ERRORS.find(([words]) => error.startsWith(words))?.[1]
  if (known !== undefined) return t(known)
  if (status === 0) return error
  return t(status >= 300 && status < 400 ? 'channels.errorRedirect' : 'channels.answered', {
    status: String(status),
  })
}

/** The answer to a test: of a webhook its status, of a mail server that it took the mail. */
export function describeOutcome(delivery: ChannelDelivery): string {
  if (delivery.error !== '') return describeError(delivery)
  return delivery.status === 0
    ? t('channels.mailTaken')
    : t('channels.answered', { status: String(delivery.status) })
}
