import {
  type AlertCondition,
  AlertCondition_Operator as Operator,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { Measured } from '../../domain/alerts/alert-condition.ts'
import { isChange } from '../../domain/alerts/alert-units.ts'
import { type LimitUnit, unitOfLimit, type ValueUnit } from '../../domain/alerts/value-unit.ts'
import { readWallClock } from '../../domain/calendar.ts'
import { createChartFormats } from '../../domain/charts/formats.ts'
import type { RangeMs } from '../../domain/time-ranges.ts'
import type { Notification } from '../channels/notification.ts'
import { toOneLine } from '../mail/mail-text.ts'
import type { StoredAlert } from './alert.ts'

/** A check that is told to channels. */
export interface ToldCheck {
  readonly alert: StoredAlert
  readonly unit: RangeMs
  readonly timeZone: string
  readonly measured: Measured | undefined
  /** The unit of the number. */
  readonly valueUnit: ValueUnit
  /** Sentences in place of the numbers, when there is none. */
  readonly error?: string
}

/** How a notification of an alert is about it. */
export type ToldKind = 'firing' | 'resolved' | 'test'

const TITLES = {
  firing: (name) => `${name} is firing`,
  resolved: (name) => `${name} is back to normal`,
  test: (name) => `Test of ${name}`,
} as const satisfies Record<ToldKind, (name: string) => string>

/** Composes the notification of a check. */
export function composeAlert(
  check: ToldCheck,
  of: {
    readonly id: string
    readonly kind: ToldKind
    readonly nowMs: number
    readonly notBeforeMs: number | undefined
    /** Base URL of the console. */
    readonly publicUrl: string
  },
): Notification {
  const { id, kind, nowMs, notBeforeMs, publicUrl } = of
  const { alert, unit, timeZone, measured, valueUnit } = check
  const { content } = alert
  const name = toOneLine(content.name)
  const lines = [
    describeNumbers(check),
    `Measured from ${writeTime(unit.fromMs, timeZone)} to ${writeTime(unit.toMs, timeZone)} (${timeZone}).`,
    kind === 'test' ? 'This is a test: the state of the alert stays.' : '',
    content.note,
  ]
  const { threshold = 0, operator = 0, subject = 0 } = content.condition ?? {}
  return {
    id,
    type: `alert.${kind}`,
    createdMs: nowMs,
    title: TITLES[kind](name),
    text: lines.filter((line) => line !== '').join('\n'),
    link: alertUrl(publicUrl, alert),
    facts: {
      alert_id: alert.id,
      alert_name: content.name,
      value: measured?.value ?? null,
      baseline: measured && isChange(subject) ? measured.baseline : null,
      observed: measured?.observed ?? null,
      unit: valueUnit,
      subject: Subject[subject] ?? '',
      operator: Operator[operator] ?? '',
      threshold,
      from: new Date(unit.fromMs).toISOString(),
      to: new Date(unit.toMs).toISOString(),
    },
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
  }
}

/** The page of an alert in the console. */
export function alertUrl(
  publicUrl: string,
  { projectId, id }: Pick<StoredAlert, 'projectId' | 'id'>,
): string {
  return `${publicUrl.replace(/\/$/, '')}/p/${projectId}/alerts/${id}`
}

function describeNumbers({ alert, measured, valueUnit, error }: ToldCheck): string {
  const { condition } = alert.content
  if (!measured || !condition) return error ?? 'There is no number: its base is 0 or empty.'
  const limit = `The alert fires ${describeCondition(condition, valueUnit)}.`
  const { value, baseline, observed } = measured
  const shown = writeAmount(value, valueUnit)
  if (!isChange(condition.subject)) return `The value is ${shown}. ${limit}`
  const sign = observed > 0 ? '+' : ''
  const change = `${sign}${writeAmount(observed, unitOfLimit(condition, valueUnit))}`
  return `The value is ${shown}, a change of ${change} from ${writeAmount(baseline, valueUnit)}. ${limit}`
}

const CONDITIONS = {
  [Subject.UNSPECIFIED]: '',
  [Subject.VALUE]: 'when the value is',
  [Subject.CHANGE]: 'when the change from the period before is',
  [Subject.CHANGE_PERCENT]: 'when the change from the period before is',
  [Subject.WEEKLY_CHANGE]: 'when the change from a week before is',
  [Subject.WEEKLY_CHANGE_PERCENT]: 'when the change from a week before is',
} as const satisfies Record<Subject, string>

function describeCondition(condition: AlertCondition, valueUnit: ValueUnit): string {
  const side = condition.operator === Operator.ABOVE ? 'above' : 'below'
  const limit = writeAmount(condition.threshold, unitOfLimit(condition, valueUnit))
  return `${CONDITIONS[condition.subject]} ${side} ${limit}`
}

const FORMATS = createChartFormats('en-US')

const WRITERS = {
  number: (value) => FORMATS.number(value),
  percent: (value) => `${FORMATS.number(value)}%`,
  points: (value) => `${FORMATS.number(value)} percentage points`,
  seconds: (value) => `${value < 0 ? '-' : ''}${FORMATS.seconds(Math.abs(value))}`,
} as const satisfies Record<LimitUnit, (value: number) => string>

function writeAmount(value: number, unit: LimitUnit): string {
  return WRITERS[unit](value)
}

function writeTime(ms: number, timeZone: string): string {
  return readWallClock(ms, timeZone).replace('T', ' ')
}
