import type { ConnectRouter } from '@connectrpc/connect'
import { OrgEmailProvidersService } from '../../contract/gen/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { DevicesService } from '../../contract/gen/sdk/devices/v1/devices_service_pb.js'
import { CampaignService } from '../../contract/gen/shared/campaigns/v1/campaign_service_pb.js'
import { DeliveryService } from '../../contract/gen/shared/delivery/v1/delivery_service_pb.js'
import { Campaigns, SEND_CAMPAIGN } from '../../control/campaigns/campaigns.ts'
import { createCampaignsService } from '../../control/campaigns/campaigns-service.ts'
import { describeDevices } from '../../control/devices/describe-devices.ts'
import { Devices } from '../../control/devices/devices.ts'
import { createDevicesService } from '../../control/devices/devices-service.ts'
import { eraseDevices } from '../../control/devices/erase-devices.ts'
import { createEmailProvidersService } from '../../control/email-providers/email-providers-service.ts'
import {
  type ChooseSender,
  createChooseSender,
  type ProviderReach,
} from '../../control/mail/choose-sender.ts'
import { MailProviders } from '../../control/mail/mail-provider.ts'
import { createMailJob, SEND_MAIL } from '../../control/mail/mail-queue.ts'
import { RESEND_URL } from '../../control/mail/resend-transport.ts'
import { recordMailError } from '../../control/organisations/invitations.ts'
import { readFcmAccount } from '../../control/projects/fcm-account.ts'
import { CampaignSends } from '../../control/push/campaign-sends.ts'
import { DeliveryRecorder } from '../../control/push/delivery-recorder.ts'
import { createDeliveryService } from '../../control/push/delivery-service.ts'
import { FcmTokens } from '../../control/push/fcm-tokens.ts'
import { createSendCampaign } from '../../control/push/send-campaign.ts'
import type { JobHandlers } from '../../jobs/job-handler.ts'
import type { BackoffBounds } from '../../kernel/backoff.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { Outbound } from '../../kernel/outbound/outbound.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Eraser } from '../../query/people/erasure/erasers.ts'
import type { PersonExportPorts } from '../../query/person-export/person-export-service.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { eraseDeliveries, insertDeliveries, listDeliveries } from '../../store/clickhouse/deliveries.ts'
import { readUserAliases } from '../../store/clickhouse/user-rows.ts'
import type { StoreLink } from '../environment/store-link.ts'

/** The dependencies of mail and push. */
export interface MailAndPushParts {
  readonly settings: Settings
  readonly catalog: Catalog
  readonly sealer: Sealer
  /** May write; it may come later than this process. */
  readonly store: StoreLink
  readonly log: Logger
}

/** Pauses between tries of one push message. */
const PUSH_RETRY: BackoffBounds = { firstMs: 1000, maxMs: 15_000 }

const clock = systemClock

/** Registers the services of mail providers, devices, campaigns and deliveries. */
export function registerMailAndPush(
  router: ConnectRouter,
  parts: MailAndPushParts & { readonly wakeJobs: () => void },
): void {
  const { catalog, store, log, wakeJobs } = parts
  const providers = new MailProviders(parts)
  const campaigns = new Campaigns({ catalog, clock, wakeJobs })
  const recorder = new DeliveryRecorder({
    insert: async (deliveries, signal) => await insertDeliveries(store.clickhouse, deliveries, signal),
    log,
  })
  router.service(
    OrgEmailProvidersService,
    createEmailProvidersService({ providers, clock, reach: reachOf(parts), log }),
  )
  router.service(DevicesService, createDevicesService(openDevices(parts)))
  router.service(CampaignService, createCampaignsService({ campaigns, clock }))
  router.service(DeliveryService, createDeliveryService({ campaigns, recorder, clock }))
}

/** Creates the jobs that send mails and campaigns. */
export function createMailAndPushJobs(parts: MailAndPushParts): JobHandlers {
  const { catalog, sealer, log } = parts
  return {
    [SEND_MAIL]: createMailJob({
      sealer,
      chooseSender: openChooseSender(parts),
      onFailed: async (invitation, error) => await recordMailError(catalog, invitation, error),
      log,
    }),
    [SEND_CAMPAIGN]: createPushJob(parts),
  }
}

/** Opens the choice of the sender of a mail. */
export function openChooseSender(parts: Omit<MailAndPushParts, 'store'>): ChooseSender {
  const { smtpUrl: server, mailFrom: from } = parts.settings
  const providers = new MailProviders(parts)
  return createChooseSender({
    findProvider: async (organisationId) => await providers.find(organisationId),
    service: server === undefined || from === undefined ? undefined : { server, from },
    reach: reachOf(parts),
    log: parts.log,
  })
}

function createPushJob(parts: MailAndPushParts): JobHandlers[string] {
  const { settings, catalog, sealer, store, log } = parts
  const devices = openDevices(parts)
  const tokens = new FcmTokens({ clock, fcmUrl: settings.fcmUrl, outbound: openOutbound(parts) })
  return createSendCampaign({
    campaigns: new Campaigns({ catalog, clock, wakeJobs: () => undefined }),
    devices,
    sends: new CampaignSends({ catalog, clock, devices }),
    fcm: { url: settings.fcmUrl, tokens, clock, retry: PUSH_RETRY },
    readAccount: async (projectId) => await readFcmAccount({ catalog, sealer }, projectId),
    recordDeliveries: async (deliveries, signal) =>
      await insertDeliveries(store.clickhouse, deliveries, signal),
    clock,
    log,
  })
}

/** Reads the devices of people. */
export function createReadDevices(
  parts: Pick<MailAndPushParts, 'settings' | 'catalog' | 'sealer' | 'store'>,
): PersonExportPorts['readDevicesOf'] {
  const { store } = parts
  const devices = openDevices(parts)
  return async (person) =>
    await describeDevices(
      {
        devices,
        readAliases: async (of) => await readUserAliases(store.clickhouse, of),
        listDeliveries: async (of) => await listDeliveries(store.clickhouse, of),
      },
      person,
    )
}

/** Erases the devices of people. */
export function createDeviceEraser(parts: MailAndPushParts): Eraser {
  const { store } = parts
  const devices = openDevices(parts)
  return {
    name: 'devices',
    erase: async (subject) =>
      await eraseDevices(
        {
          devices,
          readAliases: async (person) => await readUserAliases(store.clickhouse, person),
          eraseDeliveries: async (of) => await eraseDeliveries(store.clickhouse, of),
        },
        subject,
      ),
  }
}

function reachOf(parts: Pick<MailAndPushParts, 'settings'>): ProviderReach {
  return { outbound: openOutbound(parts), resendUrl: RESEND_URL }
}

/** Opens the connections to hosts that users enter. */
export function openOutbound({ settings }: Pick<MailAndPushParts, 'settings'>): Outbound {
  return new Outbound({ allowed: settings.outboundAllow })
}

function openDevices({
  settings,
  catalog,
  sealer,
}: Pick<MailAndPushParts, 'settings' | 'catalog' | 'sealer'>): Devices {
  return new Devices({ catalog, clock, sealer, countMax: settings.devicesPerProjectMax })
}
