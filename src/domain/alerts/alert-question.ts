import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type AlertCondition,
  type AlertContent,
  AlertCondition_Operator as Operator,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { ANY_COHORT } from '../insights/cohort-filters.ts'
import { parseInsight } from '../insights/insight-rules.ts'
import { invalid, violationsBelow } from '../insights/invalid.ts'
import type { RangeMs } from '../time-ranges.ts'
import { type Measured, measure } from './alert-condition.ts'
import { type PreparedPoint, preparePoint } from './alert-points.ts'
import { baselineRange, cadenceRules, isChange, isWeekly, rangeUntil } from './alert-units.ts'
import { unitOfPoint, type ValueUnit } from './value-unit.ts'

/** What an alert asks about one hour, day, week or month. */
export interface AlertQuestion {
  /** The unit of its number. */
  readonly valueUnit: ValueUnit
  readonly main: QueryRequest
  /** The same about the time that the condition compares with; `undefined` when it is about the value. */
  readonly baseline: QueryRequest | undefined
  /** The numbers of the answers; `undefined` where there is none. Throws `invalid_argument`. */
  readonly read: (answers: {
    readonly main: QueryResponse
    readonly baseline: QueryResponse | undefined
  }) => Measured | undefined
}

/** The questions of an alert, about any unit. */
export interface AlertPlan {
  readonly point: PreparedPoint
  readonly condition: AlertCondition
  /** The unit of its number. */
  readonly valueUnit: ValueUnit
  readonly about: (unit: RangeMs, timeZone: string) => AlertQuestion
}

/** Plans the questions of an alert on an insight. Throws `invalid_argument`. */
export function planAlert(content: AlertContent, spec: InsightQuerySpec): AlertPlan {
  const { condition } = content
  if (!condition) throw invalid('content.condition', 'is required', 'INVALID_ALERT')
  checkCondition(condition, content)
  const point = preparePoint(spec, content)
  const valueUnit = unitOfPoint(content.point, spec)
  const about: AlertPlan['about'] = (unit, timeZone) => {
    const range = rangeUntil(content.cadence, unit.toMs, { timeZone, count: point.reach.count })
    const { subject } = condition
    const earlier = isChange(subject)
      ? baselineRange(content.cadence, range, { subject, timeZone, reach: point.reach })
      : undefined
    const ask = (of: RangeMs): QueryRequest => requestOf({ content, point, range: of, timeZone })
    return {
      valueUnit,
      main: ask(range),
      baseline: earlier && ask(earlier),
      read: ({ main, baseline }) => {
        const value = point.read(main)
        const before = baseline ? point.read(baseline) : 0
        return value === undefined || before === undefined
          ? undefined
          : measure(subject, { value, baseline: before })
      },
    }
  }
  return { point, condition, valueUnit, about }
}

function requestOf(of: {
  readonly content: AlertContent
  readonly point: PreparedPoint
  readonly range: RangeMs
  readonly timeZone: string
}): QueryRequest {
  const { fromMs, toMs } = of.range
  return create(QueryRequestSchema, {
    spec: of.point.spec,
    timeRange: { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) },
    granularity: cadenceRules(of.content.cadence).granularity,
    timezone: of.timeZone,
  })
}

function checkCondition(
  { subject, operator, threshold }: AlertCondition,
  { cadence }: Pick<AlertContent, 'cadence'>,
): void {
  const refuse = (field: string, description: string): Error =>
    invalid(`content.condition.${field}`, description, 'INVALID_ALERT')
  if (subject === Subject.UNSPECIFIED) throw refuse('subject', 'is required')
  if (operator === Operator.UNSPECIFIED) throw refuse('operator', 'is required')
  if (!Number.isFinite(threshold)) throw refuse('threshold', 'must be a finite number')
  if (isWeekly(subject) && !cadenceRules(cadence).hasWeekBefore)
    throw refuse('subject', 'compares with a week before, which only hourly and daily alerts have')
}

/** An instant of no daylight saving time: the questions about it are as long as any others. */
const ANY_INSTANT = Date.UTC(2026, 0, 1)

/** Checks that an insight has the point of an alert and can be asked at its cadence. Throws `invalid_argument`. */
export function checkAlert(content: AlertContent, spec: InsightQuerySpec): void {
  const unit = { fromMs: ANY_INSTANT, toMs: ANY_INSTANT }
  const { main } = planAlert(content, spec).about(unit, 'UTC')
  try {
    parseInsight(main, { projectId: asProjectId(0), projectTimeZone: 'UTC', cohorts: ANY_COHORT })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const [first] = error.violations
    // The buckets of an alert are its cadence.
    if (first?.field === 'granularity') throw invalid('content.cadence', first.description, 'INVALID_ALERT')
    throw violationsBelow('content', error)
  }
}
