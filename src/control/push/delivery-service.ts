import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import {
  type DeliveryService,
  EventType,
  Platform,
  type RecordEventRequest,
} from '../../contract/gen/shared/delivery/v1/delivery_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Delivery, DeliveryEventType } from '../../store/clickhouse/deliveries.ts'
import type { Campaigns } from '../campaigns/campaigns.ts'
import { invalidField } from '../invalid-field.ts'
import type { DeliveryRecorder, Recorded } from './delivery-recorder.ts'
import { messageIdOf } from './fcm-message.ts'

const TYPES: Readonly<Record<Exclude<EventType, EventType.UNSPECIFIED>, DeliveryEventType>> = {
  [EventType.CLICKED]: 'clicked',
  [EventType.DISMISSED]: 'dismissed',
  [EventType.FAILED]: 'failed',
  [EventType.RECEIVED]: 'received',
  [EventType.SENT]: 'sent',
}

const PLATFORMS: Readonly<Record<Platform, string>> = {
  [Platform.UNSPECIFIED]: '',
  [Platform.ANDROID]: 'android',
  [Platform.IOS]: 'ios',
}

const RETRY_AFTER_SECONDS = 5

const MESSAGES = {
  'store-down': 'the store cannot be reached',
  'too-many': 'too many delivery events are queued',
} as const satisfies Record<Exclude<Recorded, 'durable'>, string>

/** The range of the store's time column; clocks of devices may show other times. */
const TIME_MS_MIN = 0
const TIME_MS_MAX = Date.UTC(2106, 0, 1)

/** Dependencies of the service. */
export interface DeliveryServiceParts {
  readonly campaigns: Pick<Campaigns, 'read'>
  readonly recorder: DeliveryRecorder
  readonly clock: Clock
}

/** `shared.delivery.v1.DeliveryService`: delivery events of notifications. Each type counts once per message. */
export function createDeliveryService({
  campaigns,
  recorder,
  clock,
}: DeliveryServiceParts): ServiceImpl<typeof DeliveryService> {
  return {
    recordEvent: async (request, context) => {
      const delivery = parseDelivery({ request, projectId: projectIdOf(context), nowMs: clock.nowMs() })
      // Throws for a campaign of another project.
      await campaigns.read({ projectId: delivery.projectId, id: delivery.campaignId })
      const recorded = await recorder.record(delivery)
      if (recorded === 'durable') return { success: true }
      return { shouldRetry: true, retryAfterSeconds: RETRY_AFTER_SECONDS, message: MESSAGES[recorded] }
    },
  }
}

function parseDelivery(of: {
  readonly request: RecordEventRequest
  readonly projectId: ProjectId
  readonly nowMs: number
}): Delivery {
  const { campaignId, deviceId, metadata, platform } = of.request
  return {
    projectId: of.projectId,
    campaignId,
    type: parseType(of.request.eventType),
    messageId: parseMessageId(of.request),
    timeMs: parseTime(of.request, of.nowMs),
    platform: PLATFORMS[platform],
    deviceId,
    metadata,
  }
}

function parseType(type: EventType): DeliveryEventType {
  if (type === EventType.UNSPECIFIED) throw invalidField('eventType', 'is required')
  return TYPES[type]
}

/** Without a message id, the device identifies the message: a campaign sends one to each device. */
function parseMessageId({ messageId, campaignId, deviceId }: RecordEventRequest): string {
  if (messageId !== '') return messageId
  if (deviceId === '') throw invalidField('messageId', 'is required without a deviceId')
  return messageIdOf({ campaignId, deviceId })
}

function parseTime({ eventTimestamp }: RecordEventRequest, nowMs: number): number {
  if (!eventTimestamp) return nowMs
  const timeMs = Math.floor(timestampMs(eventTimestamp))
  if (timeMs >= TIME_MS_MIN && timeMs < TIME_MS_MAX) return timeMs
  throw invalidField('eventTimestamp', 'must be from 1970 to 2105')
}
