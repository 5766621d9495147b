import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import {
  Frequency,
  type ReportInput,
  ReportInputSchema,
} from '../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Schedule, ScheduleUnit } from '../../domain/schedule.ts'
import type { ReportTable } from '../../store/catalog/schema/report-tables.ts'

/** The kind of recurring job that composes the mail of a report once per period. */
export const COMPOSE_REPORT = 'compose-report'

/** The kind of job that delivers the mail of a report to one recipient. */
export const DELIVER_REPORT = 'deliver-report'

/** What a report shows and when, apart from its recipients. */
export type ReportSpec = Pick<ReportInput, 'name' | 'content' | 'schedule' | 'timeRange'>

/** A report of a project. */
export interface Report {
  readonly id: string
  readonly projectId: ProjectId
  readonly spec: ReportSpec
  readonly isEnabled: boolean
  readonly pausedReason: ReportTable['paused_reason']
  /** Account id; empty for an API key. */
  readonly createdBy: string
  readonly createdMs: number
  readonly updatedMs: number
}

/** Key of a report: one of another project is not found. */
export interface ReportKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** The id of the recurring job of a report. */
export function recurringIdOf(reportId: string): string {
  return `report/${reportId}`
}

const UNITS = {
  [Frequency.DAILY]: 'day',
  [Frequency.WEEKLY]: 'week',
  [Frequency.MONTHLY]: 'month',
} as const satisfies Record<Exclude<Frequency, Frequency.UNSPECIFIED>, ScheduleUnit>

/** The unit of the schedule of a report. */
export function unitOf({ schedule }: Pick<ReportSpec, 'schedule'>): 'day' | 'week' | 'month' {
  const frequency = schedule?.frequency ?? Frequency.UNSPECIFIED
  return frequency === Frequency.UNSPECIFIED ? 'day' : UNITS[frequency]
}

/** The schedule of a report. */
export function scheduleOf(spec: Pick<ReportSpec, 'schedule'>): Schedule {
  const { hour = 0, day = 0 } = spec.schedule ?? {}
  return { every: unitOf(spec), minute: 0, hour, day: day || 1 }
}

/** The dashboard that a report shows; empty for another content. */
export function dashboardIdOf({ content }: Pick<ReportSpec, 'content'>): string {
  return content.case === 'dashboard' ? content.value.dashboardId : ''
}

/** A spec as it is stored. */
export function encodeSpec(input: ReportInput): string {
  return toJsonString(ReportInputSchema, { ...input, addresses: [], paused: false })
}

/** A stored spec. */
export function decodeSpec(text: string): ReportSpec {
  return fromJsonString(ReportInputSchema, text, { ignoreUnknownFields: true })
}

/** The report does not exist, or belongs to another project. */
export function reportNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'REPORT_NOT_FOUND',
    message: 'there is no report with this id',
  })
}
