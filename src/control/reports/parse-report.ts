import {
  type DashboardContent,
  Frequency,
  type ReportInput,
  type WebOverviewContent,
} from '../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import { checkTimeZoneName } from '../../domain/time-zone-name.ts'
import { isMailAddress } from '../../settings/mailbox.ts'
import { checkTexts } from '../dashboards/check-dashboard.ts'
import { invalidField } from '../invalid-field.ts'

/** Throws `invalid_argument` for conditions on visits that no query takes. */
export type CheckWebContent = (content: WebOverviewContent) => void

const WEEKDAYS = 7

/** Checks what the rules of the message do not. Throws `invalid_argument`. */
export function parseReport(input: ReportInput | undefined, checkWeb: CheckWebContent): ReportInput {
  if (!input) throw invalidField('report', 'is required')
  const { name, schedule, addresses, content } = input
  checkTexts({ 'report.name': name })
  if (name.trim() === '') throw invalidField('report.name', 'is required')
  if (!schedule) throw invalidField('report.schedule', 'is required')
  if (schedule.timezone !== '') checkTimeZoneName(schedule.timezone, 'report.schedule.timezone')
  if (schedule.frequency === Frequency.WEEKLY && schedule.day > WEEKDAYS)
    throw invalidField('report.schedule.day', `must be 1 to ${WEEKDAYS}, from Monday`)
  checkAddresses(addresses)
  checkContent(content, checkWeb)
  return input
}

function checkContent(content: ReportInput['content'], checkWeb: CheckWebContent): void {
  if (content.case === undefined)
    throw invalidField('report.content', 'is required: dashboard or webOverview')
  const value: DashboardContent | WebOverviewContent = content.value
  if ('filters' in value) checkWeb(value)
}

function checkAddresses(addresses: readonly string[]): void {
  const wrong = addresses.findIndex((address) => !isMailAddress(address))
  if (wrong >= 0) throw invalidField(`report.addresses[${wrong}]`, 'must be a mail address')
  const keys = addresses.map((address) => address.toLowerCase())
  const repeated = keys.findIndex((key, at) => keys.indexOf(key) < at)
  if (repeated >= 0) throw invalidField(`report.addresses[${repeated}]`, 'is listed twice')
}
