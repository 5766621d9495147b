import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AlertCadence, type AlertContent } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryRequestSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { isMet, measure } from '../../domain/alerts/alert-condition.ts'
import { type AlertPlan, planAlert } from '../../domain/alerts/alert-question.ts'
import {
  baselineRange,
  cadenceRules,
  isChange,
  type KnownCadence,
  unitsUntil,
} from '../../domain/alerts/alert-units.ts'
import { type BucketWidth, RANGE_MS_MAX, type RangeMs } from '../../domain/time-ranges.ts'
import { runInOrder } from '../../kernel/run-in-order.ts'
import { type Ask, type Finding, findNumber, SharedQuestions } from './find-number.ts'

/** A check that an alert would have had. */
export interface PreviewedCheck {
  readonly unit: RangeMs
  readonly finding: Finding
  readonly isFiring: boolean
}

/** Units that a preview covers: 30 days of hours and days, else a quarter and a year. */
const UNITS = {
  [AlertCadence.HOURLY]: 720,
  [AlertCadence.DAILY]: 30,
  [AlertCadence.WEEKLY]: 13,
  [AlertCadence.MONTHLY]: 12,
} as const satisfies Record<KnownCadence, number>

/** Units of a preview whose insight is asked once for each of them. */
const SINGLE_UNITS_MAX = 48

/** Concurrent questions: a person waits, and others have questions too. */
const QUESTIONS_MAX = 2

/** The checks that an alert would have had up to the last complete unit, oldest first. Throws the errors of its question. */
export async function previewChecks(
  { content, spec }: { readonly content: AlertContent; readonly spec: InsightQuerySpec },
  { toMs, timeZone, ask }: { readonly toMs: number; readonly timeZone: string; readonly ask: Ask },
): Promise<readonly PreviewedCheck[]> {
  const plan = planAlert(content, spec)
  const { cadence } = content
  const isOverTime = plan.point.readAll !== undefined
  const all = UNITS[cadence as KnownCadence]
  const count = isOverTime ? all : Math.min(all, SINGLE_UNITS_MAX)
  const units = unitsUntil(cadence, { toMs, timeZone, count })
  const previewed = { content, plan, units, timeZone }
  const findings = isOverTime ? await findOverTime(previewed, ask) : await findEach(previewed, ask)
  return units.map((unit, index) => {
    const finding = findings[index] ?? { kind: 'no-number' }
    const isFiring = finding.kind === 'number' && isMet(plan.condition, finding.measured.observed)
    return { unit, finding, isFiring }
  })
}

/** How many times the alert would have begun to fire: checks without a number leave the state as it is. */
export function countFired(checks: readonly PreviewedCheck[]): number {
  const states = checks.filter(({ finding }) => finding.kind === 'number').map(({ isFiring }) => isFiring)
  return states.filter((isFiring, index) => isFiring && !states[index - 1]).length
}

interface Previewed {
  readonly content: AlertContent
  readonly plan: AlertPlan
  readonly units: readonly RangeMs[]
  readonly timeZone: string
}

async function findEach({ plan, units, timeZone }: Previewed, ask: Ask): Promise<readonly Finding[]> {
  const shared = new SharedQuestions(ask)
  const findings: Finding[] = []
  await runInOrder(units.entries(), QUESTIONS_MAX, async ([index, unit]) => {
    findings[index] = await findNumber(shared.ask, plan.about(unit, timeZone))
  })
  return findings
}

/** The values of all buckets come from as few answers as the limits on ranges allow. */
async function findOverTime(previewed: Previewed, ask: Ask): Promise<readonly Finding[]> {
  const { content, plan, units, timeZone } = previewed
  const { subject } = plan.condition
  const earlierOf = (unit: RangeMs): RangeMs | undefined =>
    isChange(subject)
      ? baselineRange(content.cadence, unit, { subject, timeZone, reach: plan.point.reach })
      : undefined
  const [first] = units
  const fromMs = first ? (earlierOf(first)?.fromMs ?? first.fromMs) : 0
  const values = await readBuckets(previewed, { fromMs, toMs: units.at(-1)?.toMs ?? 0 }, ask)
  const numberIn = ({ fromMs: startMs }: RangeMs): number | undefined =>
    values.has(startMs) ? values.get(startMs) : 0
  return units.map((unit): Finding => {
    const earlier = earlierOf(unit)
    const [value, baseline] = [numberIn(unit), earlier ? numberIn(earlier) : 0]
    const measured =
      value === undefined || baseline === undefined ? undefined : measure(subject, { value, baseline })
    return measured ? { kind: 'number', measured } : { kind: 'no-number' }
  })
}

async function readBuckets(
  { content, plan, timeZone }: Previewed,
  range: RangeMs,
  ask: Ask,
): Promise<ReadonlyMap<number, number | undefined>> {
  const { granularity } = cadenceRules(content.cadence)
  const values = new Map<number, number | undefined>()
  for (const part of partsOf(range, RANGE_MS_MAX[granularity as BucketWidth])) {
    const answer = await ask(
      create(QueryRequestSchema, {
        spec: plan.point.spec,
        timeRange: { from: timestampFromMs(part.fromMs), to: timestampFromMs(part.toMs) },
        granularity,
        timezone: timeZone,
      }),
    )
    // A value beyond the limit in one part is found in another: the whole preview fails with the reason.
    for (const [startMs, value] of plan.point.readAll?.(answer) ?? []) values.set(startMs, value)
  }
  return values
}

/** Consecutive ranges of at most this length. */
function partsOf({ fromMs, toMs }: RangeMs, lengthMsMax: number): readonly RangeMs[] {
  const count = Math.max(1, Math.ceil((toMs - fromMs) / lengthMsMax))
  return Array.from({ length: count }, (_, index) => ({
    fromMs: fromMs + index * lengthMsMax,
    toMs: Math.min(toMs, fromMs + (index + 1) * lengthMsMax),
  }))
}
