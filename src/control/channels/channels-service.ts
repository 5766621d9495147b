import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import {
  type ChannelDeliverySchema,
  type ChannelSchema,
  type ChannelsService,
  DeliveryState,
  DisabledReason,
} from '../../contract/gen/millrace/alerts/v1/channels_service_pb.js'
import { isCanonicalUuid } from '../../contract/ids.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { ChannelDeliveryTable, ChannelTable } from '../../store/catalog/schema/channel-tables.ts'
import { type AttemptPorts, attemptDelivery } from './attempt-delivery.ts'
import { type Channel, type ChannelConfig, recipientsOf } from './channel.ts'
import type { Channels } from './channels.ts'
import type { Deliveries, Delivery } from './deliveries.ts'
import type { Notification } from './notification.ts'
import { changeConfig, parseConfig } from './parse-channel.ts'

/** Dependencies of the service. */
export interface ChannelsPorts extends AttemptPorts {
  readonly channels: Channels
  readonly deliveries: Deliveries
  /** Base URL of the console. */
  readonly publicUrl: string
}

/** `millrace.alerts.v1.ChannelsService`: where the notifications of a project go. */
export function createChannelsService(ports: ChannelsPorts): ServiceImpl<typeof ChannelsService> {
  const { channels, deliveries, clock } = ports
  return {
    create: async ({ name, target }, context) => {
      const config = parseConfig(target)
      const channel = await channels.create(projectIdOf(context), { name, config })
      return { channel: toMessage(channel), signingSecret: secretOf(config) }
    },
    get: async ({ id }, context) => ({
      channel: toMessage(await channels.read({ projectId: projectIdOf(context), id })),
    }),
    list: async (_, context) => ({
      channels: (await channels.list(projectIdOf(context))).map(toMessage),
    }),
    update: async (request, context) => {
      const key = { projectId: projectIdOf(context), id: request.id }
      const nowMs = clock.nowMs()
      const channel = await channels.update(key, ({ config }) => ({
        name: request.name,
        config: changeConfig(config, request, nowMs),
        isEnabled: request.enabled,
      }))
      const signingSecret = request.rotateSigningSecret ? secretOf(channel.config) : ''
      return { channel: toMessage(channel), signingSecret }
    },
    delete: async ({ id }, context) => {
      await channels.remove({ projectId: projectIdOf(context), id })
      return {}
    },
    test: async ({ id }, context) => {
      const channel = await channels.read({ projectId: projectIdOf(context), id })
      const tested = await testChannel(ports, channel, context.signal)
      return { deliveries: tested.map(toDeliveryMessage) }
    },
    listDeliveries: async ({ channelId, pageSize, pageToken }, context) => {
      const channel = await channels.read({ projectId: projectIdOf(context), id: channelId })
      const count = pageSize === 0 ? PAGE_SIZE : pageSize
      const before = pageToken === '' ? undefined : parseToken(pageToken)
      const found = await deliveries.list({ channelId: channel.id, before, count: count + 1 })
      const page = found.slice(0, count)
      const last = found.length > count ? page.at(-1) : undefined
      return {
        deliveries: page.map(toDeliveryMessage),
        nextPageToken: last ? encodePageToken([last.createdMs, last.id]) : '',
      }
    },
  }
}

const PAGE_SIZE = 100

async function testChannel(
  ports: ChannelsPorts,
  channel: Channel,
  signal: AbortSignal,
): Promise<readonly Delivery[]> {
  const { clock, publicUrl } = ports
  const notification: Notification = {
    id: `test-${randomUUID()}`,
    type: 'channel.test',
    createdMs: clock.nowMs(),
    title: 'Test of a channel',
    text: 'Millrace can send notifications through this channel.',
    link: publicUrl,
    facts: { channel_id: channel.id },
  }
  return await sendOnce(ports, { channel, notification }, signal)
}

/** Attempts a notification to each recipient of a channel now, once, and records the outcomes. */
export async function sendOnce(
  ports: ChannelsPorts,
  { channel, notification }: { readonly channel: Channel; readonly notification: Notification },
  signal: AbortSignal,
): Promise<readonly Delivery[]> {
  const { clock, deliveries } = ports
  return await Promise.all(
    recipientsOf(channel).map(async (recipient) => {
      const id = randomUUID()
      const attempt = { deliveryId: id, channel, recipient, notification }
      const outcome = await attemptDelivery(ports, attempt, signal)
      return await deliveries.addAttempted({ id, ...attempt, outcome, nowMs: clock.nowMs() })
    }),
  )
}

function secretOf(config: ChannelConfig): string {
  return config.kind === 'webhook' ? config.secret : ''
}

const REASONS = {
  '': DisabledReason.UNSPECIFIED,
  failing: DisabledReason.FAILING,
  gone: DisabledReason.GONE,
} as const satisfies Record<ChannelTable['disabled_reason'], DisabledReason>

const STATES = {
  pending: DeliveryState.PENDING,
  delivered: DeliveryState.DELIVERED,
  failed: DeliveryState.FAILED,
} as const satisfies Record<ChannelDeliveryTable['state'], DeliveryState>

function toMessage(channel: Channel): MessageInitShape<typeof ChannelSchema> {
  const { id, name, config, isEnabled, disabledReason, failingMs, createdMs, updatedMs } = channel
  return {
    id,
    name,
    target: toTarget(config),
    enabled: isEnabled,
    disabledReason: REASONS[disabledReason],
    ...(failingMs === 0 ? {} : { failingSince: timestampFromMs(failingMs) }),
    createTime: timestampFromMs(createdMs),
    updateTime: timestampFromMs(updatedMs),
  }
}

function toTarget(config: ChannelConfig): NonNullable<MessageInitShape<typeof ChannelSchema>['target']> {
  if (config.kind === 'mail') return { case: 'mail', value: { addresses: [...config.addresses] } }
  return { case: config.kind, value: { maskedUrl: maskUrl(config.url) } }
}

const SHOWN_CHARACTERS_MAX = 4
/** At most a quarter of a path is shown. */
const SHOWN_DIVISOR = 4

/** Scheme, host and the last characters, to recognise a URL by. */
function maskUrl(text: string): string {
  const { origin } = new URL(text)
  const rest = text.slice(origin.length)
  const shownCount = Math.min(SHOWN_CHARACTERS_MAX, Math.floor(rest.length / SHOWN_DIVISOR))
  return `${origin}/…${rest.slice(rest.length - shownCount)}`
}

/** A delivery as the API shows it. */
export function toDeliveryMessage(delivery: Delivery): MessageInitShape<typeof ChannelDeliverySchema> {
  const { id, notificationId, type, recipient, state, attempts, status, error } = delivery
  const { createdMs, attemptMs, nextMs } = delivery
  return {
    id,
    notificationId,
    type,
    recipient,
    state: STATES[state],
    attempts,
    status,
    error,
    createTime: timestampFromMs(createdMs),
    ...(attemptMs === 0 ? {} : { attemptTime: timestampFromMs(attemptMs) }),
    ...(nextMs === 0 ? {} : { nextAttemptTime: timestampFromMs(nextMs) }),
  }
}

function parseToken(token: string): { readonly createdMs: number; readonly id: string } {
  const [createdMs, id] = decodePageToken(token)
  if (typeof createdMs !== 'number' || !Number.isSafeInteger(createdMs)) throw invalidPageToken()
  if (typeof id !== 'string' || !isCanonicalUuid(id)) throw invalidPageToken()
  return { createdMs, id }
}
