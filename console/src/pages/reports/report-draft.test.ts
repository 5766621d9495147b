import { create, fromJson } from '@bufbuild/protobuf'
import { type Report, ReportSchema } from '@contract/millrace/reports/v1/reports_service_pb.js'
import { expect, test } from 'vitest'
import { encodeReport, newReport, readReport } from './report-draft.ts'

const STORED = fromJson(ReportSchema, {
  id: 'r',
  name: 'Web, weekly',
  webOverview: {
    filters: [{ dimension: 'DIMENSION_PAGE', operator: 'FILTER_OPERATOR_EQUALS', value: '/pricing' }],
    cohorts: [{ cohortId: 'c', negate: true }],
    includeBots: true,
  },
  schedule: { frequency: 'FREQUENCY_MONTHLY', day: 31, hour: 7, timezone: 'Asia/Tokyo' },
  timeRange: 'TIME_RANGE_PRESET_LAST_30_DAYS',
  recipients: [{ address: 'ceo@example.org' }, { address: 'ada@example.org' }],
  enabled: true,
})

test('a stored report that nobody changes is stored as it was', () => {
  const { name, content, schedule, timeRange, recipients } = STORED
  expect(encodeReport(readReport(STORED), { paused: false })).toMatchObject({
    name,
    content,
    schedule,
    timeRange,
    addresses: recipients.map(({ address }) => address),
    paused: false,
  })
})

test('a day that the service reads as the first is shown as the first', () => {
  const first: Report = create(ReportSchema, { schedule: { frequency: 2, hour: 0, day: 0 } })
  expect(readReport(first)).toMatchObject({ frequency: 'weekly', day: 1, hour: 0 })
})

test('a new report is for every Monday, in the time zone of the project', () => {
  const draft = newReport({
    name: ' Growth ',
    dashboardId: 'd',
    filters: [],
    cohorts: [],
    addresses: 'a@b.c, d@e.f',
  })
  expect(encodeReport(draft, { paused: false })).toMatchObject({
    name: 'Growth',
    content: { case: 'dashboard', value: { dashboardId: 'd' } },
    schedule: { frequency: 2, day: 1, timezone: '' },
    addresses: ['a@b.c', 'd@e.f'],
  })
})
