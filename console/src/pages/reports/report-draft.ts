import { create } from '@bufbuild/protobuf'
import { TimeRangePreset } from '@contract/common/v1/time_range_pb.js'
import {
  Frequency,
  type Report,
  type ReportInput,
  ReportInputSchema,
} from '@contract/millrace/reports/v1/reports_service_pb.js'
import type { WebFilter } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { parseAddresses } from '../channels/channel-draft.ts'

/** The frequencies by their names. */
const FREQUENCIES = {
  daily: Frequency.DAILY,
  weekly: Frequency.WEEKLY,
  monthly: Frequency.MONTHLY,
} as const

/** The name of a frequency. */
export type FrequencyName = keyof typeof FREQUENCIES

/** The names of the frequencies, the shortest first. */
export const FREQUENCY_NAMES = Object.keys(FREQUENCIES) as readonly FrequencyName[]

/** A report while it is edited. */
export interface ReportDraft {
  readonly name: string
  /** Empty for the web overview. */
  readonly dashboardId: string
  /** Of the web overview. */
  readonly filters: readonly WebFilter[]
  /** Of the web overview, too. */
  readonly cohorts: readonly CohortFilterDraft[]
  readonly includeBots: boolean
  readonly frequency: FrequencyName
  /** Of the week from Monday, or of the month; from 1. */
  readonly day: number
  readonly hour: number
  /** Empty for that of the project. */
  readonly timeZone: string
  readonly timeRange: TimeRangePreset
  /** As typed. */
  readonly addresses: string
}

/** The hour of a new report: the first of a working day. */
const FIRST_HOUR = 8

/** The draft of a new report: every Monday. */
export function newReport(
  start: Pick<ReportDraft, 'name' | 'dashboardId' | 'filters' | 'cohorts' | 'addresses'>,
): ReportDraft {
  return {
    ...start,
    includeBots: false,
    frequency: 'weekly',
    day: 1,
    hour: FIRST_HOUR,
    timeZone: '',
    timeRange: TimeRangePreset.UNSPECIFIED,
  }
}

/** The dashboard of a report; empty for the web overview. */
export function dashboardOf({ content }: Pick<Report, 'content'>): string {
  return content.case === 'dashboard' ? content.value.dashboardId : ''
}

/** The draft of a stored report. */
export function readReport(report: Report): ReportDraft {
  const { name, content, schedule, timeRange, recipients } = report
  const overview = content.case === 'webOverview' ? content.value : undefined
  return {
    name,
    dashboardId: dashboardOf(report),
    filters: overview?.filters ?? [],
    cohorts: (overview?.cohorts ?? []).map(({ cohortId, negate }) => ({ cohortId, negate })),
    includeBots: overview?.includeBots ?? false,
    frequency: FREQUENCY_NAMES.find((known) => FREQUENCIES[known] === schedule?.frequency) ?? 'weekly',
    day: schedule?.day || 1,
    hour: schedule?.hour ?? FIRST_HOUR,
    timeZone: schedule?.timezone ?? '',
    timeRange,
    addresses: recipients.map(({ address }) => address).join('\n'),
  }
}

/** The report of a draft. */
export function encodeReport(draft: ReportDraft, state: { readonly paused: boolean }): ReportInput {
  const { dashboardId, filters, cohorts, includeBots, frequency, day, hour, timeZone, timeRange } = draft
  return create(ReportInputSchema, {
    name: draft.name.trim(),
    content:
      dashboardId === ''
        ? { case: 'webOverview', value: { filters: [...filters], cohorts: [...cohorts], includeBots } }
        : { case: 'dashboard', value: { dashboardId } },
    schedule: {
      frequency: FREQUENCIES[frequency],
      day: frequency === 'daily' ? 0 : day,
      hour,
      timezone: timeZone,
    },
    timeRange,
    addresses: [...parseAddresses(draft.addresses)],
    paused: state.paused,
  })
}
