import { create } from '@bufbuild/protobuf'
import { OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import { ProjectSchema } from '@contract/dashboard/projects/v1/project_pb.js'
import { expect, test } from 'vitest'
import { dashboardReportHref, mayCreateReports, overviewReportHref } from './report-address.ts'

test('a report on the overview keeps its filters, and not its period', () => {
  const overview = new URLSearchParams('range=7d&filter=page:is:/a&filter=country:is:DE&cohort=c1')
  expect(overviewReportHref('1', overview)).toBe(
    '/p/1/reports/new?filter=page%3Ais%3A%2Fa&filter=country%3Ais%3ADE&cohort=c1',
  )
  expect(overviewReportHref('1', new URLSearchParams())).toBe('/p/1/reports/new')
  expect(dashboardReportHref('1', { id: 'd', displayName: 'A & B' })).toBe(
    '/p/1/reports/new?dashboard=d&name=A+%26+B',
  )
})

test('viewers create no reports', () => {
  const mayAs = (role: OrgRole): boolean => mayCreateReports(create(ProjectSchema, { role }))
  expect([OrgRole.VIEWER, OrgRole.MEMBER, OrgRole.ADMIN].map(mayAs)).toEqual([false, true, true])
})
