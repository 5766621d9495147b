import type { DashboardsPorts } from '../control/dashboards/dashboards-service.ts'
import type { SharedDashboardsPorts } from '../control/dashboards/shared-dashboards-service.ts'
import { checkInsight } from '../domain/insights/insight-rules.ts'
import type { Logger } from '../kernel/log.ts'
import type { QueryPorts } from '../query/calls/query-call.ts'
import { answerInsight } from '../query/insight-types.ts'
import { dashboardSeconds } from '../settings/derived-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalog } from '../store/catalog/catalog.ts'

/** The dependencies of dashboards: their tiles run the same queries as the public interface. */
export function openDashboardsPorts(
  settings: Pick<Settings, 'queryTimeoutSeconds'>,
  { catalog, query, log }: { readonly catalog: Catalog; readonly query: QueryPorts; readonly log: Logger },
): DashboardsPorts & SharedDashboardsPorts {
  return {
    catalog,
    clock: query.clock,
    projects: query.projects,
    log,
    checkInsight,
    runInsight: async (call) => await answerInsight(query, call),
    timeoutMs: dashboardSeconds(settings) * 1000,
  }
}
