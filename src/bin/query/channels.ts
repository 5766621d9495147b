import type { ConnectRouter } from '@connectrpc/connect'
import { ChannelsService } from '../../contract/gen/millrace/alerts/v1/channels_service_pb.js'
import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import type { AttemptPorts } from '../../control/channels/attempt-delivery.ts'
import { Channels } from '../../control/channels/channels.ts'
import { type ChannelsPorts, createChannelsService } from '../../control/channels/channels-service.ts'
import { createDeliverNotification } from '../../control/channels/deliver-notification.ts'
import { DELIVER_NOTIFICATION, Deliveries } from '../../control/channels/deliveries.ts'
import { createTellAdmins } from '../../control/channels/tell-admins.ts'
import { createSendMail } from '../../control/mail/mail-queue.ts'
import type { JobHandlers } from '../../jobs/job-handler.ts'
import { systemClock } from '../../kernel/clock.ts'
import { publicUrlOf } from '../../settings/derived-settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type MailAndPushParts, openChooseSender, openOutbound } from './mail-and-push.ts'

/** The dependencies of channels. */
export type ChannelsParts = Omit<MailAndPushParts, 'store'>

const clock = systemClock

/** Registers the service of channels. */
export function registerChannels(router: ConnectRouter, parts: ChannelsParts): void {
  router.service(ChannelsService, createChannelsService(openChannelsPorts(parts)))
}

/** The dependencies of services that send notifications. */
export function openChannelsPorts(parts: ChannelsParts): ChannelsPorts {
  return { ...openStores(parts), ...openAttempts(parts), publicUrl: publicUrlOf(parts.settings) }
}

/** Creates the jobs that deliver notifications. */
export function createDeliveryJobs(parts: ChannelsParts & { readonly wakeJobs: () => void }): JobHandlers {
  const { settings, catalog, sealer, log, wakeJobs } = parts
  const sendMail = createSendMail({ catalog, clock, sealer, wakeJobs })
  const tellAdmins = createTellAdmins({ sendMail, publicUrl: publicUrlOf(settings) })
  return {
    [DELIVER_NOTIFICATION]: createDeliverNotification({
      ...openStores(parts),
      ...openAttempts(parts),
      catalog,
      tellAdmins,
      log,
    }),
  }
}

function openStores({ catalog, sealer }: ChannelsParts) {
  return {
    channels: new Channels({ catalog, clock, sealer }),
    deliveries: new Deliveries({ catalog, sealer }),
  }
}

function openAttempts(parts: ChannelsParts): AttemptPorts {
  return { clock, outbound: openOutbound(parts), chooseSender: openProjectSender(parts) }
}

/** Opens the choice of the sender of a project's mails. */
export function openProjectSender(parts: ChannelsParts): AttemptPorts['chooseSender'] {
  const chooseSender = openChooseSender(parts)
  return async (projectId) => await chooseSender(await readOrganisation(parts.catalog, projectId))
}

async function readOrganisation(catalog: Catalog, projectId: ProjectId) {
  const row = await catalog
    .selectFrom('projects')
    .select('organisation_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row && asOrganisationId(row.organisation_id)
}
