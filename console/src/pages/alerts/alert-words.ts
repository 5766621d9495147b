import '../../dashboards/messages.ts'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Alert,
  type AlertCheck,
  type AlertPoint,
  AlertState,
  AlertUnit,
  AlertFunnelPoint_Measure as Measure,
  AlertCheck_Outcome as Outcome,
  PauseReason,
} from '@contract/millrace/alerts/v1/alert_pb.js'
import { type LimitUnit, unitOfLimit, type ValueUnit } from '@domain/alerts/value-unit.ts'
import { stateLabel } from '../../format/labels.ts'
import { formatValue, type Unit } from '../../format/unit.ts'
import { NO_VALUE } from '../../format/values.ts'
import { type MessageKey, type NameKey, t } from '../../i18n/translate.ts'
import '../../insights/model/messages.ts'
import type { BadgeTone } from '../../ui/badge.tsx'
import { type CadenceName, RULES, type RuleName, readCondition } from './alert-draft.ts'
import './messages.ts'

/** The state of an alert for readers. */
export type ShownState = 'firing' | 'snoozed' | 'paused' | 'failing' | 'waiting' | 'ok'

/** The badges of states. */
export const STATES = {
  firing: { label: 'alerts.firing', tone: 'bad' },
  snoozed: { label: 'alerts.snoozed', tone: 'info' },
  paused: { label: 'alerts.paused', tone: 'neutral' },
  failing: { label: 'alerts.failing', tone: 'warn' },
  waiting: { label: 'alerts.waiting', tone: 'neutral' },
  ok: { label: 'alerts.ok', tone: 'good' },
} as const satisfies Record<ShownState, { readonly label: NameKey; readonly tone: BadgeTone }>

/** When an alert notifies again; `undefined` when it is not snoozed. */
export function snoozedUntil({ snoozeUntil }: Alert, nowMs: number): number | undefined {
  const ms = snoozeUntil ? timestampMs(snoozeUntil) : 0
  return ms > nowMs ? ms : undefined
}

/** The states of an alert that its row shows: whether it fires, and why it may be silent. */
export function statesOf(alert: Alert, nowMs: number): readonly ShownState[] {
  const { content, state, failures, lastCheck, pauseReason } = alert
  if (content?.paused) return pauseReason === PauseReason.FAILING ? ['paused', 'failing'] : ['paused']
  const own: ShownState = state === AlertState.FIRING ? 'firing' : lastCheck ? 'ok' : 'waiting'
  return [
    own,
    ...(failures > 0 ? (['failing'] as const) : []),
    ...(snoozedUntil(alert, nowMs) === undefined ? [] : (['snoozed'] as const)),
  ]
}

/** The badges of checks. */
export const OUTCOMES = {
  [Outcome.UNSPECIFIED]: { label: 'alerts.noNumber', tone: 'neutral' },
  [Outcome.OK]: { label: 'alerts.ok', tone: 'good' },
  [Outcome.FIRING]: { label: 'alerts.firing', tone: 'bad' },
  [Outcome.NO_NUMBER]: { label: 'alerts.noNumber', tone: 'neutral' },
  [Outcome.FAILED]: { label: 'alerts.failed', tone: 'warn' },
} as const satisfies Record<Outcome, { readonly label: NameKey; readonly tone: BadgeTone }>

/** Whether a check has a number. */
export function hasNumber(outcome: Outcome): boolean {
  return outcome === Outcome.OK || outcome === Outcome.FIRING
}

/** The names of cadences. */
export const CADENCE_WORDS = {
  hourly: 'alerts.hourly',
  daily: 'alerts.daily',
  weekly: 'alerts.weekly',
  monthly: 'alerts.monthly',
} as const satisfies Record<CadenceName, NameKey>

const RULE_WORDS = {
  above: 'alerts.ruleAbove',
  below: 'alerts.ruleBelow',
  risesPercent: 'alerts.ruleRises',
  fallsPercent: 'alerts.ruleFalls',
  rises: 'alerts.ruleRises',
  falls: 'alerts.ruleFalls',
  weekRisesPercent: 'alerts.ruleWeekRises',
  weekFallsPercent: 'alerts.ruleWeekFalls',
  weekRises: 'alerts.ruleWeekRises',
  weekFalls: 'alerts.ruleWeekFalls',
} as const satisfies Record<RuleName, MessageKey>

/** The signs of the units of limits. */
const SIGNS = { number: '', percent: '%', points: ' pp', seconds: 's' } as const satisfies Record<
  LimitUnit,
  string
>

/** A condition in words, with its limit as typed, or `…`: `falls by more than 30%`. */
export function describeRule(rule: RuleName, amount: string, unit: ValueUnit): string {
  return t(RULE_WORDS[rule], { amount: `${amount}${SIGNS[unitOfLimit(RULES[rule], unit)]}` })
}

/** The names of the field of the limit. */
export const LIMIT_LABELS = {
  number: 'alerts.limit',
  percent: 'alerts.limitPercent',
  points: 'alerts.limitPoints',
  seconds: 'alerts.limitSeconds',
} as const satisfies Record<LimitUnit, NameKey>

/** A limit as readers see it. */
function writeLimit(amount: number, unit: LimitUnit): string {
  if (unit === 'seconds') return formatValue(amount, unit)
  return `${formatValue(amount, 'number')}${SIGNS[unit]}`
}

/** The unit of charts of the number that a condition compares. */
export function chartUnitOf(rule: RuleName, unit: ValueUnit): Unit {
  const limitUnit = unitOfLimit(RULES[rule], unit)
  return limitUnit === 'points' ? 'number' : limitUnit
}

const UNITS = {
  [AlertUnit.UNSPECIFIED]: 'number',
  [AlertUnit.NUMBER]: 'number',
  [AlertUnit.PERCENT]: 'percent',
  [AlertUnit.SECONDS]: 'seconds',
} as const satisfies Record<AlertUnit, ValueUnit>

/** The number that a check of an alert found, or a dash. */
export function writeNumberOf({ unit }: Alert, check: AlertCheck | undefined): string {
  return check && hasNumber(check.outcome) ? formatValue(check.value, UNITS[unit]) : NO_VALUE
}

const MEASURES = {
  [Measure.UNSPECIFIED]: 'alerts.funnelTotal',
  [Measure.TOTAL]: 'alerts.funnelTotal',
  [Measure.RATE_FROM_FIRST]: 'alerts.funnelFirst',
  [Measure.RATE_FROM_PREVIOUS]: 'alerts.funnelPrevious',
} as const satisfies Record<Measure, NameKey>

/** The number of an alert, where its insight has several; else empty. */
function describePoint({ kind }: AlertPoint): string {
  if (kind.case === 'funnel') return `${t(MEASURES[kind.value.measure])} (${kind.value.step})`
  if (kind.case === 'retention') return t('alerts.retentionPart', { number: kind.value.period })
  if (kind.case === 'lifecycle') return stateLabel(kind.value.state)
  if (kind.case === 'row') return kind.value.others ? t('alerts.others') : kind.value.value
  return kind.case === 'series' ? Object.values(kind.value.breakdown).join(', ') : ''
}

/** The condition of a stored alert in a line. */
export function describeAlert({ content, unit }: Alert): string {
  const { condition, point } = content ?? {}
  if (!condition || !point) return ''
  const { rule, amount } = readCondition(condition)
  const limit = writeLimit(amount, unitOfLimit(condition, UNITS[unit]))
  const words = t(RULE_WORDS[rule], { amount: limit })
  return [describePoint(point), words].filter((part) => part !== '').join(' · ')
}
