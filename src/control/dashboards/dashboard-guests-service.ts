import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, projectAccessOf } from '../../access/caller.ts'
import type {
  DashboardGuestsService,
  SharedDashboardSchema,
} from '../../contract/gen/millrace/dashboards/v1/dashboard_guests_service_pb.js'
import { asCustomerId, asOrganisationId } from '../../contract/ids.ts'
import { type GuestDashboard, type GuestKey, listSharedWith } from '../../store/catalog/dashboard-guests.ts'
import { addGuest, listGuests, readGuestDashboard, removeGuest, type Sharer } from './dashboard-guests.ts'
import type { ShareLimiter } from './share-limiter.ts'
import { answerShared, type SharedViewPorts } from './shared-view.ts'

/** `millrace.dashboards.v1.DashboardGuestsService`: dashboards that are shared with guests. */
export function createDashboardGuestsService(
  ports: SharedViewPorts,
  limiter: ShareLimiter,
): ServiceImpl<typeof DashboardGuestsService> {
  return { ...membersMethods(ports), ...guestsMethods(ports, limiter) }
}

function membersMethods(ports: SharedViewPorts) {
  return {
    listGuests: async ({ dashboardId }, context) => ({
      guests: await listGuests(ports.catalog, sharerOf(dashboardId, context)),
    }),
    addGuest: async ({ dashboardId, customerId }, context) => {
      const guestId = asCustomerId(customerId)
      return { guest: await addGuest(ports, { ...sharerOf(dashboardId, context), guestId }) }
    },
    removeGuest: async ({ dashboardId, customerId }, context) => {
      await removeGuest(ports.catalog, {
        ...sharerOf(dashboardId, context),
        guestId: asCustomerId(customerId),
      })
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof DashboardGuestsService>>
}

/** The share is looked up with every call, so that one that has ended is over at once. */
function guestsMethods(ports: SharedViewPorts, limiter: ShareLimiter) {
  return {
    listShared: async ({ orgId }, context) => ({
      dashboards: (await listSharedWith(ports.catalog, guestOf(orgId, context))).map(toMessage),
    }),
    queryShared: async ({ orgId, dashboardId, ...requested }, context) => {
      const guest = guestOf(orgId, context)
      const dashboard = await readGuestDashboard(ports.catalog, { ...guest, id: dashboardId })
      limiter.take(`${dashboard.id}\n${guest.customerId}`)
      return await answerShared(ports, { dashboard, requested }, context)
    },
  } satisfies Partial<ServiceImpl<typeof DashboardGuestsService>>
}

function sharerOf(id: string, context: HandlerContext): Sharer {
  return { projectId: projectAccessOf(context).projectId, id, callerId: customerIdOf(context) }
}

function guestOf(orgId: string, context: HandlerContext): GuestKey {
  return { organisationId: asOrganisationId(orgId), customerId: customerIdOf(context) }
}

function toMessage({
  updatedMs,
  ...dashboard
}: GuestDashboard): MessageInitShape<typeof SharedDashboardSchema> {
  return { ...dashboard, updateTime: timestampFromMs(updatedMs) }
}
