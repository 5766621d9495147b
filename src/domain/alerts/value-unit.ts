import {
  type AlertCondition,
  type AlertPoint,
  AlertUnit,
  AlertFunnelPoint_Measure as Measure,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { unitOfChart } from '../charts/chart-unit.ts'

/** The units that the number of an alert may have. */
export type ValueUnit = 'number' | 'percent' | 'seconds'

/** The unit of the number at a point of an insight. */
export function unitOfPoint(point: AlertPoint | undefined, spec: InsightQuerySpec | undefined): ValueUnit {
  const kind = point?.kind
  if (kind?.case === 'retention') return 'percent'
  if (kind?.case === 'funnel') return kind.value.measure === Measure.TOTAL ? 'number' : 'percent'
  if (kind?.case !== 'series') return 'number'
  const unit = unitOfChart(spec, undefined)
  return unit === 'percent' || unit === 'seconds' ? unit : 'number'
}

/** The units of the number that a condition compares. */
export type LimitUnit = ValueUnit | 'points'

/** The unit of the number that a condition compares: the difference of two percentages is in percentage points. */
export function unitOfLimit({ subject }: Pick<AlertCondition, 'subject'>, unit: ValueUnit): LimitUnit {
  if (subject === Subject.CHANGE_PERCENT || subject === Subject.WEEKLY_CHANGE_PERCENT) return 'percent'
  return subject !== Subject.VALUE && unit === 'percent' ? 'points' : unit
}

/** The units as the API names them. */
export const ALERT_UNITS = {
  number: AlertUnit.NUMBER,
  percent: AlertUnit.PERCENT,
  seconds: AlertUnit.SECONDS,
} as const satisfies Record<ValueUnit, AlertUnit>
