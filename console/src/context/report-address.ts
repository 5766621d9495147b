import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import { mayRoleCall } from '@domain/role-rules.ts'
import { nameOfRole } from './access.ts'

// The first load has this file, so it is without the contract of the service.

/** The rest of the address of a new report. */
export const NEW_REPORT = 'new'

/** The address of the list, or of one report. */
export function reportsHref(projectId: string, id = ''): string {
  const list = `/p/${projectId}/reports`
  return id === '' ? list : `${list}/${id}`
}

/** The address of a new report on the overview as it is shown: with the filters of its address. */
export function overviewReportHref(projectId: string, overview: URLSearchParams): string {
  const kept = [...overview].filter(([name]) => name === 'filter' || name === 'cohort')
  const query = new URLSearchParams(kept)
  const href = reportsHref(projectId, NEW_REPORT)
  return query.size === 0 ? href : `${href}?${query}`
}

/** The address of a new report on a dashboard. */
export function dashboardReportHref(
  projectId: string,
  { id, displayName }: { readonly id: string; readonly displayName: string },
): string {
  const query = new URLSearchParams({ dashboard: id, name: displayName })
  return `${reportsHref(projectId, NEW_REPORT)}?${query}`
}

/** Whether the signed-in user may create reports in a project. */
export function mayCreateReports(project: Project): boolean {
  const method = { service: 'millrace.reports.v1.ReportsService', method: 'create' }
  return mayRoleCall({ inOrganisation: 'guest', inProject: nameOfRole(project.role) }, method)
}
