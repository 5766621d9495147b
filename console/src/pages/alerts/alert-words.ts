import '../../dashboards/messages.ts'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Alert,
  type AlertContent,
  type AlertPoint,
  AlertState,
  AlertFunnelPoint_Measure as Measure,
  AlertCheck_Outcome as Outcome,
  PauseReason,
} from '@contract/millrace/alerts/v1/alert_pb.js'
import { stateLabel } from '../../format/labels.ts'
import { formatTick, formatValue, type Unit } from '../../format/unit.ts'
import { type MessageKey, type NameKey, t } from '../../i18n/translate.ts'
import '../../insights/model/messages.ts'
import type { BadgeTone } from '../../ui/badge.tsx'
import { type CadenceName, type RuleName, readCondition } from './alert-draft.ts'
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

/** Whether the limit of a condition is a percentage of an earlier value. */
export function isPercentRule(rule: RuleName): boolean {
  return rule.endsWith('Percent')
}

/** A condition in words, for example `falls by more than 30%`; with `…` for a limit that is not chosen yet. */
export function describeRule(rule: RuleName, amount: string): string {
  return t(RULE_WORDS[rule], { amount })
}

/** The unit of the number of an alert. */
export function unitOfPoint({ kind }: AlertPoint): Unit {
  if (kind.case === 'retention') return 'percent'
  return kind.case === 'funnel' && kind.value.measure !== Measure.TOTAL ? 'percent' : 'number'
}

/** The unit of the number that a condition compares. */
export function unitOfRule(rule: RuleName, point: AlertPoint): Unit {
  return isPercentRule(rule) ? 'percent' : unitOfPoint(point)
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
export function describeAlert({ condition, point }: AlertContent): string {
  if (!condition || !point) return ''
  const { rule, amount } = readCondition(condition)
  const unit = unitOfRule(rule, point)
  const limit = unit === 'percent' ? formatTick(amount, unit) : formatValue(amount, unit)
  const words = describeRule(rule, limit)
  return [describePoint(point), words].filter((part) => part !== '').join(' · ')
}
