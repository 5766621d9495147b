import {
  PausedReason,
  RecipientState,
  type Report,
  ReportDeliveryState,
} from '@contract/millrace/reports/v1/reports_service_pb.js'
import { formatShortTime } from '../../format/values.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import type { BadgeTone } from '../../ui/badge.tsx'
import { weekdayNames } from '../../ui/period-labels.ts'
import { type FrequencyName, type ReportDraft, readReport } from './report-draft.ts'
import './messages.ts'

interface Words {
  readonly label: NameKey
  readonly tone: BadgeTone
}

/** The state of a report for readers. */
export type ShownState = 'active' | 'waiting' | 'paused' | 'gone'

/** The badges of reports. */
export const STATES = {
  active: { label: 'reports.active', tone: 'good' },
  waiting: { label: 'reports.noRecipients', tone: 'warn' },
  paused: { label: 'reports.paused', tone: 'neutral' },
  gone: { label: 'reports.paused', tone: 'bad' },
} as const satisfies Record<ShownState, Words>

/** Whether a report is mailed, and to anybody. */
export function stateOf({ enabled, pausedReason, recipients }: Report): ShownState {
  if (!enabled) return pausedReason === PausedReason.DASHBOARD_DELETED ? 'gone' : 'paused'
  return recipients.some(({ state }) => state === RecipientState.ACTIVE) ? 'active' : 'waiting'
}

/** The badges of recipients. */
export const RECIPIENT_STATES = {
  [RecipientState.UNSPECIFIED]: { label: 'reports.recipientWaits', tone: 'neutral' },
  [RecipientState.ACTIVE]: { label: 'reports.recipientGets', tone: 'good' },
  [RecipientState.PENDING]: { label: 'reports.recipientWaits', tone: 'info' },
  [RecipientState.UNSUBSCRIBED]: { label: 'reports.recipientLeft', tone: 'warn' },
} as const satisfies Record<RecipientState, Words>

/** The badges of deliveries. */
export const DELIVERY_STATES = {
  [ReportDeliveryState.UNSPECIFIED]: { label: 'channels.pending', tone: 'neutral' },
  [ReportDeliveryState.PENDING]: { label: 'channels.pending', tone: 'info' },
  [ReportDeliveryState.DELIVERED]: { label: 'channels.delivered', tone: 'good' },
  [ReportDeliveryState.FAILED]: { label: 'channels.failed', tone: 'bad' },
} as const satisfies Record<ReportDeliveryState, Words>

/** The names of frequencies. */
export const FREQUENCY_WORDS = {
  daily: 'reports.daily',
  weekly: 'reports.weekly',
  monthly: 'reports.monthly',
} as const satisfies Record<FrequencyName, NameKey>

/** What a report covers that shows the period of its schedule. */
export const OWN_PERIODS = {
  daily: 'reports.dayBefore',
  weekly: 'reports.weekBefore',
  monthly: 'reports.monthBefore',
} as const satisfies Record<FrequencyName, NameKey>

/** The day of the month that every month has the last of. */
export const LAST_DAY = 31

const HOUR_MS = 3_600_000

/** An hour of the day. */
export function nameHour(hour: number): string {
  return formatShortTime(hour * HOUR_MS, 'UTC')
}

type Schedule = Pick<ReportDraft, 'frequency' | 'day' | 'hour'>

const SCHEDULES = {
  daily: ({ hour }) => t('reports.onDays', { time: nameHour(hour) }),
  weekly: ({ day, hour }) =>
    t('reports.onWeeks', { weekday: weekdayNames()[day - 1]?.long ?? '', time: nameHour(hour) }),
  monthly: ({ day, hour }) =>
    day === LAST_DAY
      ? t('reports.onMonthEnds', { time: nameHour(hour) })
      : t('reports.onMonths', { day, time: nameHour(hour) }),
} as const satisfies Record<FrequencyName, (schedule: Schedule) => string>

/** When a report is mailed, with its zone if that is another than the project's. */
export function describeSchedule(report: Report, projectZone: string): string {
  const draft = readReport(report)
  const words = SCHEDULES[draft.frequency](draft)
  const isOwnZone = draft.timeZone !== '' && draft.timeZone !== projectZone
  return isOwnZone ? `${words} (${draft.timeZone.replaceAll('_', ' ')})` : words
}
