import type {
  ChannelsServiceCreateRequest,
  ChannelsServiceUpdateRequest,
} from '../../contract/gen/millrace/alerts/v1/channels_service_pb.js'
import { isOutboundUrl } from '../../kernel/outbound/outbound-http.ts'
import { isMailAddress } from '../../settings/mailbox.ts'
import { invalidField } from '../invalid-field.ts'
import type { ChannelConfig } from './channel.ts'
import { createSigningSecret } from './sign-webhook.ts'

/** How long a signing secret that was replaced signs too. */
const ROTATION_MS = 24 * 3_600_000

/** Parses the destination of a new channel. Throws `invalid_argument`. */
export function parseConfig(target: ChannelsServiceCreateRequest['target']): ChannelConfig {
  switch (target.case) {
    case 'mail':
      return { kind: 'mail', addresses: parseAddresses(target.value.addresses) }
    case 'slack':
      return { kind: 'slack', url: parseUrl(target.value.url, 'slack.url') }
    case 'webhook': {
      const url = parseUrl(target.value.url, 'webhook.url')
      return { kind: 'webhook', url, secret: createSigningSecret() }
    }
    default:
      throw invalidField('target', 'is required: mail, slack or webhook')
  }
}

/** Applies an update to a stored destination. An empty URL keeps the stored one. Throws `invalid_argument`. */
export function changeConfig(
  stored: ChannelConfig,
  request: Pick<ChannelsServiceUpdateRequest, 'target' | 'rotateSigningSecret'>,
  nowMs: number,
): ChannelConfig {
  const { target, rotateSigningSecret } = request
  const { kind } = stored
  if (target.case !== undefined && target.case !== kind)
    throw invalidField('target', `must be ${kind}: the kind of a channel does not change`)
  if (rotateSigningSecret && kind !== 'webhook')
    throw invalidField('rotateSigningSecret', 'needs a channel with a signed webhook')
  if (stored.kind === 'mail')
    return target.case === 'mail'
      ? { kind: 'mail', addresses: parseAddresses(target.value.addresses) }
      : stored
  const sent = target.case === 'slack' || target.case === 'webhook' ? target.value.url : ''
  const url = sent === '' ? stored.url : parseUrl(sent, `${kind}.url`)
  if (stored.kind === 'slack' || !rotateSigningSecret) return { ...stored, url }
  const previous = { secret: stored.secret, untilMs: nowMs + ROTATION_MS }
  return { kind: 'webhook', url, secret: createSigningSecret(), previous }
}

function parseAddresses(addresses: readonly string[]): readonly string[] {
  const index = addresses.findIndex((address) => !isMailAddress(address))
  if (index >= 0) throw invalidField(`mail.addresses[${index}]`, 'must be a mail address')
  const repeated = addresses.findIndex((address, at) => addresses.indexOf(address) < at)
  if (repeated >= 0) throw invalidField(`mail.addresses[${repeated}]`, 'is listed twice')
  return addresses
}

function parseUrl(url: string, field: string): string {
  if (isOutboundUrl(url)) return url
  throw invalidField(field, 'must be an http or https URL without user name and password')
}
