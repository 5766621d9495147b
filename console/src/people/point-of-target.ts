import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  FunnelPoint_Outcome as FunnelOutcome,
  type PointSchema,
  RetentionPoint_Outcome as RetentionOutcome,
} from '@contract/millrace/people/v1/actors_service_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { TrendSeries } from '@contract/shared/insights/v1/query_result_pb.js'
import type { ChartTarget } from '../charts/chart.ts'
import type { PeopleSource } from './people-context.ts'

/** A point of an answer, as `ActorsService` takes it. */
export type PointInit = Exclude<MessageInitShape<typeof PointSchema>, { readonly $typeName: string }>

type PointKind = NonNullable<PointInit['kind']>

/** The label of all other values of a breakdown. */
const OTHERS = '$others'
/** Breakdown values of an answer whose query sets no limit. */
const LIMIT_DEFAULT = 10

/** The point that a part of a chart stands for; `undefined` where the answer does not have it. */
export function pointOfTarget(target: ChartTarget, { request, result }: PeopleSource): PointInit | undefined {
  const kind = kindOf(target, result, request.spec)
  return kind && { kind }
}

function kindOf(
  target: ChartTarget,
  result: PeopleSource['result'],
  spec: InsightQuerySpec | undefined,
): PointKind | undefined {
  switch (result.case) {
    case 'trends':
      return trendsPoint(target, result.value.series, spec)
    case 'segmentation':
      return target.kind === 'total' ? { case: 'segmentation', value: { series: target.series } } : undefined
    case 'funnel':
      return funnelPoint(target, result.value.series, spec)
    case 'retention':
      return retentionPoint(target, result.value.series, spec)
    case 'userFlow':
      return flowPoint(target)
    case 'topK':
      return target.kind === 'row'
        ? { case: 'row', value: target.isOthers ? { others: true } : { value: target.value } }
        : undefined
    default:
      return undefined
  }
}

function trendsPoint(
  target: ChartTarget,
  all: readonly TrendSeries[],
  spec: InsightQuerySpec | undefined,
): PointKind | undefined {
  if (target.kind !== 'point' && target.kind !== 'total') return undefined
  const found = eventOfSeries(all, spec)[target.series]
  const one = all[target.series]
  if (found === undefined || !one) return undefined
  const group = groupName(one.breakdown, { rank: found.rank, spec })
  const bucket = target.kind === 'point' ? { bucket: timestampFromMs(target.startMs) } : {}
  return { case: 'trends', value: { series: found.event, ...group, ...bucket } }
}

function funnelPoint(
  target: ChartTarget,
  all: readonly { readonly breakdown: Readonly<Record<string, string>> }[],
  spec: InsightQuerySpec | undefined,
): PointKind | undefined {
  const one = target.kind === 'step' ? all[target.series] : undefined
  if (target.kind !== 'step' || !one) return undefined
  const outcome = target.part === 'dropped' ? FunnelOutcome.DROPPED : FunnelOutcome.REACHED
  const group = groupName(one.breakdown, { rank: target.series, spec })
  return { case: 'funnel', value: { step: target.step + 1, outcome, ...group } }
}

function retentionPoint(
  target: ChartTarget,
  all: readonly { readonly breakdown: Readonly<Record<string, string>> }[],
  spec: InsightQuerySpec | undefined,
): PointKind | undefined {
  const one = target.kind === 'cell' ? all[target.series] : undefined
  if (target.kind !== 'cell' || !one || Number.isNaN(Date.parse(target.cohort))) return undefined
  const outcome = target.part === 'absent' ? RetentionOutcome.DID_NOT_RETURN : RetentionOutcome.RETURNED
  return {
    case: 'retention',
    value: {
      cohort: timestampFromMs(Date.parse(target.cohort)),
      period: target.period,
      outcome,
      ...groupName(one.breakdown, { rank: target.series, spec }),
    },
  }
}

function flowPoint(target: ChartTarget): PointKind | undefined {
  if (target.kind === 'node') return { case: 'userFlow', value: { kind: { case: 'node', value: target.id } } }
  if (target.kind !== 'link') return undefined
  const { source, target: end } = target
  return { case: 'userFlow', value: { kind: { case: 'link', value: { source, target: end } } } }
}

function limitOf(spec: InsightQuerySpec | undefined): number {
  return spec?.breakdownLimit || LIMIT_DEFAULT
}

/** The name of a breakdown value in a point. The rest comes after the limit's values; a real value may have its label. */
function groupName(
  breakdown: Readonly<Record<string, string>>,
  { rank, spec }: { readonly rank: number; readonly spec: InsightQuerySpec | undefined },
): { readonly others: true } | { readonly breakdown: Record<string, string> } {
  const texts = Object.values(breakdown)
  const isRest = rank >= limitOf(spec) && texts.length > 0 && texts.every((text) => text === OTHERS)
  return isRest ? { others: true } : { breakdown: { ...breakdown } }
}

interface RankedSeries {
  /** The index of its event in the query. */
  readonly event: number
  /** Its rank among the breakdown values of the event. */
  readonly rank: number
}

/**
 * The event and the rank of each series of trends, which come in the order of the events. Where two neighbours have one
 * kind, the next event starts when a value comes again or the values are complete; series that can be of either are left out.
 */
function eventOfSeries(
  all: readonly TrendSeries[],
  spec: InsightQuerySpec | undefined,
): readonly (RankedSeries | undefined)[] {
  const events = spec?.events ?? []
  if (events.length <= 1 || spec?.session) return all.map((_, rank) => ({ event: 0, rank }))
  if (all.every(({ breakdown }) => Object.keys(breakdown).length === 0)) {
    return all.map((_, event) => ({ event, rank: 0 }))
  }
  const ranked: (RankedSeries | undefined)[] = []
  let [event, seen] = [0, new Set<string>()]
  for (const { eventKind, breakdown } of all) {
    const value = JSON.stringify(Object.entries(breakdown).sort())
    const kindAt = (at: number): string | undefined =>
      events[at] ? (events[at].event?.kind ?? '') : undefined
    const isNext = kindAt(event) !== eventKind || seen.has(value) || seen.size > limitOf(spec)
    if (isNext) {
      event += 1
      while (event < events.length && kindAt(event) !== eventKind) event += 1
      seen = new Set()
    }
    const hasTwin = kindAt(event - 1) === eventKind || kindAt(event + 1) === eventKind
    ranked.push(event >= events.length || hasTwin ? undefined : { event, rank: seen.size })
    seen.add(value)
  }
  return ranked
}
