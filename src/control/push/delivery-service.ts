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
import { messageIdOf } from './message-id.ts'

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

const PROBLEMS = {
  'store-down': 'the store cannot be reached',
  'too-many': 'too many events wait to be recorded',
} as const satisfies Record<Exclude<Recorded, 'durable'>, string>

/** Times that the store's column holds, and clocks of devices may show. */
const TIME_MS_MIN = 0
const TIME_MS_MAX = Date.UTC(2106, 0, 1)

/** What the service works with. */
export interface DeliveryServiceParts {
  readonly campaigns: Pick<Campaigns, 'read'>
  readonly recorder: DeliveryRecorder
  readonly clock: Clock
}

/** `shared.delivery.v1.DeliveryService`: what became of notifications. Of a message, each type of event counts once. */
export function createDeliveryService({
  campaigns,
  recorder,
  clock,
}: DeliveryServiceParts): ServiceImpl<typeof DeliveryService> {
  return {
    recordEvent: async (request, context) => {
      const delivery = parseDelivery({ request, projectId: projectIdOf(context), nowMs: clock.nowMs() })
      // A campaign of another project is none of this one.
      await campaigns.read({ projectId: delivery.projectId, id: delivery.campaignId })
      const recorded = await recorder.record(delivery)
      if (recorded === 'durable') return { success: true }
      return { shouldRetry: true, retryAfterSeconds: RETRY_AFTER_SECONDS, message: PROBLEMS[recorded] }
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

/** Without the provider's id, the device tells which message it was: a campaign sends one to each. */
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
