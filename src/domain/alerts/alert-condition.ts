import {
  type AlertCondition,
  AlertCondition_Operator as Operator,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'

/** The numbers of one check. */
export interface Measured {
  readonly value: number
  /** The earlier value; 0 when the condition is about the value. */
  readonly baseline: number
  /** The number that is compared with the threshold. */
  readonly observed: number
}

const PERCENT = 100

const OBSERVED = {
  [Subject.UNSPECIFIED]: () => undefined,
  [Subject.VALUE]: (value) => value,
  [Subject.CHANGE]: change,
  [Subject.CHANGE_PERCENT]: changePercent,
  [Subject.WEEKLY_CHANGE]: change,
  [Subject.WEEKLY_CHANGE_PERCENT]: changePercent,
} as const satisfies Record<Subject, (value: number, baseline: number) => number | undefined>

function change(value: number, baseline: number): number {
  return value - baseline
}

function changePercent(value: number, baseline: number): number | undefined {
  return baseline === 0 ? undefined : (PERCENT * (value - baseline)) / Math.abs(baseline)
}

/** The numbers that a condition is about; `undefined` where there is none, such as a percentage of 0. */
export function measure(
  subject: Subject,
  { value, baseline }: Pick<Measured, 'value' | 'baseline'>,
): Measured | undefined {
  const observed = OBSERVED[subject](value, baseline)
  if (observed === undefined || !Number.isFinite(observed)) return undefined
  return { value, baseline, observed }
}

/** Whether the condition holds for a number. */
export function isMet({ operator, threshold }: AlertCondition, observed: number): boolean {
  return operator === Operator.ABOVE ? observed > threshold : observed < threshold
}
