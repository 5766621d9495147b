import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { SharedDashboardsService } from '../../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import type { AddressRanges } from '../../kernel/address-ranges.ts'
import { nameClientNetwork } from '../auth/known-networks.ts'
import { RefusalPause } from '../auth/refusal-pause.ts'
import { type AdmitPorts, admitReader } from './admit-reader.ts'
import { readSharedDashboard } from './dashboard-store.ts'
import type { ShareGrant } from './share-grants.ts'
import type { ShareLimiter } from './share-limiter.ts'
import { answerShared, type SharedViewPorts } from './shared-view.ts'

/** Dependencies of the service. */
export interface SharedDashboardsPorts extends SharedViewPorts, AdmitPorts {
  /** Peers whose forwarding headers count. */
  readonly trustedProxies: AddressRanges
}

/** Response header with the IANA time zone of the buckets, for which the messages have no field. */
const TIME_ZONE_HEADER = 'x-time-zone'

/**
 * `public.dashboards.v1.SharedDashboardsService`: dashboards for anyone who has the link. Queries of other ranges are bounded by
 * the rate limit of the link.
 */
export function createSharedDashboardsService(
  ports: SharedDashboardsPorts,
  limiter: ShareLimiter,
): ServiceImpl<typeof SharedDashboardsService> {
  const refusals = new RefusalPause()
  return {
    query: async ({ shareId, password, grant, ...requested }, context) => {
      const dashboard = await readSharedDashboard(ports, shareId)
      const network = nameClientNetwork(context.requestHeader, ports.trustedProxies)
      const admission = admitReader(ports, dashboard, { password, grant, network })
      const issued = await refusals.delay(admission, context)
      limiter.take(shareId)
      const { timeZone, ...view } = await answerShared(ports, { dashboard, requested }, context)
      context.responseHeader.set(TIME_ZONE_HEADER, timeZone)
      return { ...view, ...grantOf(issued, context) }
    },
  }
}

function grantOf(issued: ShareGrant | undefined, { responseHeader }: HandlerContext) {
  if (!issued) return {}
  // RFC 6749, section 5.1: caches must not store tokens.
  responseHeader.set('cache-control', 'no-store')
  return { grant: issued.grant, grantExpireTime: timestampFromMs(issued.expiresMs) }
}
