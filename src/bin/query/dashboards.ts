import type { PasswordHasher } from '../../control/auth/password-hasher.ts'
import { createShareAttempts } from '../../control/dashboards/admit-reader.ts'
import type { DashboardsPorts } from '../../control/dashboards/dashboards-service.ts'
import { ShareGrants } from '../../control/dashboards/share-grants.ts'
import type { SharedDashboardsPorts } from '../../control/dashboards/shared-dashboards-service.ts'
import { checkInsight } from '../../domain/insights/insight-rules.ts'
import type { Logger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import type { QueryPorts } from '../../query/calls/query-call.ts'
import { readFirstEvent } from '../../query/filter-schema/first-event.ts'
import { answerInsight } from '../../query/insight-types.ts'
import { dashboardSeconds } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** The parts of the query process that dashboards use. */
export interface DashboardsParts {
  readonly catalog: Catalog
  readonly query: QueryPorts
  readonly log: Logger
  readonly passwords: PasswordHasher
  /** The secret key of the service. */
  readonly key: Buffer
}

/** The dependencies of dashboards: their tiles run the same queries as the public interface. */
export function openDashboardsPorts(
  settings: Pick<Settings, 'queryTimeoutSeconds' | 'trustedProxies'>,
  { catalog, query, log, passwords, key }: DashboardsParts,
): DashboardsPorts & SharedDashboardsPorts {
  const { clock, projects } = query
  return {
    catalog,
    clock,
    projects,
    log,
    checkInsight,
    runInsight: async (call) => await answerInsight(query, call),
    readFirstEvent: async (call) => await readFirstEvent(query, { ...call, isFresh: false }),
    passwords,
    shareAttempts: createShareAttempts({ catalog, clock, key }),
    grants: new ShareGrants(new Sealer(key), clock),
    trustedProxies: settings.trustedProxies,
    timeoutMs: dashboardSeconds(settings) * 1000,
  }
}
