import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import type {
  CampaignSchema,
  CampaignService,
} from '../../contract/gen/shared/campaigns/v1/campaign_service_pb.js'
import type { Clock } from '../../kernel/clock.ts'
import { invalidField } from '../invalid-field.ts'
import type { Campaign, CampaignPlan, Campaigns } from './campaigns.ts'
import { parseNotification } from './notification.ts'

/** The end of the year 9999, the maximum of protobuf timestamps. */
const SCHEDULED_MS_MAX = 253_402_300_799_999

/** `shared.campaigns.v1.CampaignService`: notifications to all devices of a project. */
export function createCampaignsService({
  campaigns,
  clock,
}: {
  readonly campaigns: Campaigns
  readonly clock: Clock
}): ServiceImpl<typeof CampaignService> {
  return {
    batchGet: async (_, context) => {
      return { campaigns: (await campaigns.list(projectIdOf(context))).map(toMessage) }
    },
    get: async ({ id }, context) => {
      return { campaign: toMessage(await campaigns.read({ projectId: projectIdOf(context), id })) }
    },
    create: async ({ name, notificationData, scheduledTime }, context) => {
      const { text: notification } = parseNotification(notificationData)
      const nowMs = clock.nowMs()
      const scheduledMs = scheduledTime ? parseScheduled(scheduledTime, nowMs) : nowMs
      const plan: CampaignPlan = { name, notification, scheduledMs }
      return { campaign: toMessage(await campaigns.create(projectIdOf(context), plan)) }
    },
    update: async ({ id, name, notificationData, scheduledTime }, context) => {
      const change = {
        ...(name === '' ? {} : { name }),
        ...(notificationData.length === 0 ? {} : { notification: parseNotification(notificationData).text }),
        ...(scheduledTime ? { scheduledMs: parseScheduled(scheduledTime, clock.nowMs()) } : {}),
      }
      return { campaign: toMessage(await campaigns.update({ projectId: projectIdOf(context), id }, change)) }
    },
    delete: async ({ id }, context) => {
      await campaigns.remove({ projectId: projectIdOf(context), id })
      return {}
    },
  }
}

/** A time in the past means now. */
function parseScheduled(time: Timestamp, nowMs: number): number {
  const scheduledMs = Math.floor(timestampMs(time))
  if (scheduledMs > SCHEDULED_MS_MAX) throw invalidField('scheduledTime', 'must be before the year 10000')
  return Math.max(nowMs, scheduledMs)
}

function toMessage(campaign: Campaign): MessageInitShape<typeof CampaignSchema> {
  const { startMs, endMs } = campaign
  return {
    id: campaign.id,
    projectId: String(campaign.projectId),
    name: campaign.name,
    notificationData: new TextEncoder().encode(campaign.notification),
    status: campaign.status,
    scheduledTime: timestampFromMs(campaign.scheduledMs),
    ...(startMs === undefined ? {} : { startTime: timestampFromMs(startMs) }),
    ...(endMs === undefined ? {} : { endTime: timestampFromMs(endMs) }),
    createTime: timestampFromMs(campaign.createdMs),
    updateTime: timestampFromMs(campaign.updatedMs),
  }
}
