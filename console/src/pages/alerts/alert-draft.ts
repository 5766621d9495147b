import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  AlertCadence,
  type AlertCondition,
  type AlertContent,
  AlertContentSchema,
  type AlertPoint,
  AlertPointSchema,
  AlertFunnelPoint_Measure as Measure,
  AlertCondition_Operator as Operator,
  QuietHoursSchema,
  AlertCondition_Subject as Subject,
} from '@contract/millrace/alerts/v1/alert_pb.js'
import { LifecycleState } from '@contract/millrace/insights/v1/lifecycle_pb.js'
import { type InsightQuerySpec, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'

interface Rule {
  readonly subject: Subject
  readonly operator: Operator
  /** A fall is stored as a negative change. */
  readonly sign: 1 | -1
}

/** The conditions of alerts by their names. */
export const RULES = {
  above: { subject: Subject.VALUE, operator: Operator.ABOVE, sign: 1 },
  below: { subject: Subject.VALUE, operator: Operator.BELOW, sign: 1 },
  risesPercent: { subject: Subject.CHANGE_PERCENT, operator: Operator.ABOVE, sign: 1 },
  fallsPercent: { subject: Subject.CHANGE_PERCENT, operator: Operator.BELOW, sign: -1 },
  rises: { subject: Subject.CHANGE, operator: Operator.ABOVE, sign: 1 },
  falls: { subject: Subject.CHANGE, operator: Operator.BELOW, sign: -1 },
  weekRisesPercent: { subject: Subject.WEEKLY_CHANGE_PERCENT, operator: Operator.ABOVE, sign: 1 },
  weekFallsPercent: { subject: Subject.WEEKLY_CHANGE_PERCENT, operator: Operator.BELOW, sign: -1 },
  weekRises: { subject: Subject.WEEKLY_CHANGE, operator: Operator.ABOVE, sign: 1 },
  weekFalls: { subject: Subject.WEEKLY_CHANGE, operator: Operator.BELOW, sign: -1 },
} as const satisfies Record<string, Rule>

/** The name of a condition. */
export type RuleName = keyof typeof RULES

const RULE_NAMES = Object.keys(RULES) as readonly RuleName[]

/** The cadences by their names. */
export const CADENCES = {
  hourly: AlertCadence.HOURLY,
  daily: AlertCadence.DAILY,
  weekly: AlertCadence.WEEKLY,
  monthly: AlertCadence.MONTHLY,
} as const

/** The name of a cadence. */
export type CadenceName = keyof typeof CADENCES

const CADENCE_NAMES = Object.keys(CADENCES) as readonly CadenceName[]

/** The conditions that a cadence has: only an hour and a day have a counterpart a week before. */
export function rulesOf(cadence: CadenceName): readonly RuleName[] {
  const hasWeekBefore = cadence === 'hourly' || cadence === 'daily'
  return RULE_NAMES.filter((name) => hasWeekBefore || !name.startsWith('week'))
}

/** An alert while it is edited. */
export interface AlertDraft {
  readonly name: string
  readonly note: string
  readonly question: AlertContent['question']
  readonly point: AlertPoint
  readonly rule: RuleName
  /** As typed. */
  readonly amount: string
  readonly cadence: CadenceName
  /** As typed; only insights without a time axis have it. */
  readonly rangeUnits: string
  readonly channelIds: readonly string[]
  /** Times of day such as `22:00`; absent without quiet hours. */
  readonly quiet: { readonly from: string; readonly to: string; readonly timeZone: string } | undefined
  readonly paused: boolean
}

const POINTS: Readonly<Partial<Record<InsightType, () => AlertPoint>>> = {
  [InsightType.TRENDS]: () => pointOf({ case: 'series', value: {} }),
  [InsightType.SEGMENTATION]: () => pointOf({ case: 'series', value: {} }),
  [InsightType.FUNNEL]: () =>
    pointOf({ case: 'funnel', value: { step: 2, measure: Measure.RATE_FROM_FIRST } }),
  [InsightType.RETENTION]: () => pointOf({ case: 'retention', value: { period: 1 } }),
  [InsightType.LIFECYCLE]: () => pointOf({ case: 'lifecycle', value: { state: LifecycleState.NEW } }),
  [InsightType.STICKINESS]: () => pointOf({ case: 'stickiness', value: { buckets: 1, cumulative: true } }),
  [InsightType.TOP_K]: () => pointOf({ case: 'row', value: {} }),
  [InsightType.MAP]: () => pointOf({ case: 'row', value: {} }),
}

function pointOf(kind: NonNullable<MessageInitShape<typeof AlertPointSchema>['kind']>): AlertPoint {
  return create(AlertPointSchema, { kind })
}

/** The number of an insight that an alert begins with; `undefined` for insights that the editor has no number of. */
export function firstPoint({ insightType, breakdownCohortIds }: InsightQuerySpec): AlertPoint | undefined {
  return breakdownCohortIds.length > 0 ? undefined : POINTS[insightType || InsightType.TRENDS]?.()
}

const WITHOUT_TIME: readonly InsightType[] = [
  InsightType.SEGMENTATION,
  InsightType.FUNNEL,
  InsightType.STICKINESS,
  InsightType.TOP_K,
  InsightType.MAP,
]

/** Whether an insight counts a number of periods together, because it has no time axis. */
export function hasRangeUnits({ insightType }: InsightQuerySpec): boolean {
  return WITHOUT_TIME.includes(insightType)
}

/** The draft of a new alert. */
export function newAlert(name: string, question: AlertContent['question'], point: AlertPoint): AlertDraft {
  return {
    name,
    note: '',
    question,
    point,
    rule: 'above',
    amount: '',
    cadence: 'daily',
    rangeUnits: '1',
    channelIds: [],
    quiet: undefined,
    paused: false,
  }
}

/** The name of a stored condition, and its threshold as readers think of it. */
export function readCondition({ subject, operator, threshold }: AlertCondition): {
  readonly rule: RuleName
  readonly amount: number
} {
  const rule =
    RULE_NAMES.find((name) => RULES[name].subject === subject && RULES[name].operator === operator) ?? 'above'
  const amount = RULES[rule].sign * threshold
  return { rule, amount: amount === 0 ? 0 : amount }
}

/** The draft of a stored alert. */
export function readAlert(content: AlertContent): AlertDraft {
  const { condition, cadence, quietHours, rangeUnits, channelIds, point } = content
  const { rule, amount } = condition ? readCondition(condition) : { rule: 'above' as const, amount: 0 }
  return {
    name: content.name,
    note: content.note,
    question: content.question,
    point: point ?? create(AlertPointSchema),
    rule,
    amount: String(amount),
    cadence: CADENCE_NAMES.find((name) => CADENCES[name] === cadence) ?? 'daily',
    rangeUnits: String(rangeUnits || 1),
    channelIds,
    quiet: quietHours && {
      from: writeTime(quietHours.startMinute),
      to: writeTime(quietHours.endMinute),
      timeZone: quietHours.timeZone,
    },
    paused: content.paused,
  }
}

/** A number as it is typed, with a point or a comma; `undefined` for other texts. */
export function parseAmount(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.')
  const amount = trimmed === '' ? Number.NaN : Number(trimmed)
  return Number.isFinite(amount) ? amount : undefined
}

/** The content of a draft; `undefined` while its threshold or its quiet hours are incomplete. */
export function encodeAlert(draft: AlertDraft): AlertContent | undefined {
  const amount = parseAmount(draft.amount)
  const quiet = draft.quiet && { start: parseTime(draft.quiet.from), end: parseTime(draft.quiet.to) }
  if (amount === undefined) return undefined
  if (quiet && (quiet.start === undefined || quiet.end === undefined)) return undefined
  const { subject, operator, sign } = RULES[draft.rule]
  const threshold = amount === 0 ? 0 : sign * amount
  return create(AlertContentSchema, {
    name: draft.name.trim(),
    note: draft.note.trim(),
    question: draft.question,
    point: draft.point,
    condition: { subject, operator, threshold },
    cadence: CADENCES[draft.cadence],
    rangeUnits: Math.trunc(parseAmount(draft.rangeUnits) ?? 1),
    channelIds: [...draft.channelIds],
    paused: draft.paused,
    ...(quiet && {
      quietHours: create(QuietHoursSchema, {
        startMinute: quiet.start ?? 0,
        endMinute: quiet.end ?? 0,
        timeZone: draft.quiet?.timeZone ?? '',
      }),
    }),
  })
}

function writeTime(minute: number): string {
  const part = (value: number): string => String(value).padStart(2, '0')
  return `${part(Math.floor(minute / 60))}:${part(minute % 60)}`
}

function parseTime(text: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}
