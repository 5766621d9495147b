import './messages.ts'
import { type Duration, durationMs } from '@bufbuild/protobuf/wkt'
import type {
  FunnelOptions,
  FunnelOptions_CountBy,
} from '@contract/millrace/insights/v1/funnel_options_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { FunnelSeries } from '@contract/shared/insights/v1/query_result_pb.js'
import type { ComparedResult, SeriesTotal } from '@domain/insights/totals.ts'
import { eventLabel, seriesLabel } from '../format/labels.ts'
import type { MessageKey } from '../i18n/translate.ts'
import type { RateFrom } from './chart.ts'

/** A step of a funnel as it is drawn. */
export interface FunnelStage {
  readonly label: string
  readonly people: number
  /** People of the nearest required step before who did not come here; 0 for the first step. */
  readonly dropped: number
  /** Whether the step before is optional: those who dropped off are then not those of that step. */
  readonly isAfterOptional: boolean
  /** Of the nearest required step before, 0 to 1; 1 for the first step. */
  readonly fromPrevious: number | undefined
  /** Of the first step, 0 to 1. */
  readonly fromStart: number | undefined
  /** {@link fromStart} in the previous period. */
  readonly fromStartBefore: number | undefined
  readonly peopleBefore: number | undefined
  readonly medianSeconds: number | undefined
  /** {@link medianSeconds} in the previous period. */
  readonly medianBefore: number | undefined
  readonly p95Seconds: number | undefined
}

/** A funnel of one breakdown value. */
export interface FunnelRun {
  readonly label: string
  readonly stages: readonly FunnelStage[]
}

/** The rate of a step, 0 to 1, from the step before or from the first one. */
export function rateOf({ fromPrevious, fromStart }: FunnelStage, from: RateFrom): number | undefined {
  return from === 'first' ? fromStart : fromPrevious
}

/** What the numbers of a funnel count. */
export type Counted = 'people' | 'sessions'

/** What a funnel with these options counts. */
export function countedBy(options: Pick<FunnelOptions, 'countBy'> | undefined): Counted {
  return options?.countBy === SESSIONS ? 'sessions' : 'people'
}

// As a number: a page without queries loads none of their messages.
const SESSIONS: FunnelOptions_CountBy.SESSIONS = 1

/** The name of what a funnel counts. */
export const COUNTED_NAMES = {
  people: 'peopleCharts.people',
  sessions: 'chart.sessions',
} as const satisfies Record<Counted, MessageKey>

/** Prepares a funnel for drawing. */
export function funnelRun(
  series: FunnelSeries,
  previous: readonly FunnelSeries[] | undefined,
  options?: Pick<FunnelOptions, 'optionalSteps'>,
): FunnelRun {
  const isOptional = (at: number): boolean => options?.optionalSteps.includes(at + 1) ?? false
  const label = seriesLabel({ breakdown: series.breakdown })
  const before = previous?.find((other) => seriesLabel({ breakdown: other.breakdown }) === label)?.steps
  const totals = series.steps.map(({ total }) => total)
  const totalsBefore = before?.map(({ total }) => total)
  const stages = series.steps.map(({ eventKind, total, timing }, at): FunnelStage => {
    const last = totals.findLast((_, earlier) => earlier < at && !isOptional(earlier))
    const hasTimes = timing !== undefined && total > 0
    const earlier = before?.[at]
    return {
      label: eventLabel(eventKind),
      people: total,
      dropped: last === undefined ? 0 : Math.max(0, last - total),
      isAfterOptional: isOptional(at - 1),
      fromPrevious: last === undefined ? 1 : ratioOf(total, last),
      fromStart: ratioOf(total, totals[0]),
      fromStartBefore: totalsBefore && ratioOf(totalsBefore[at], totalsBefore[0]),
      peopleBefore: totalsBefore?.[at],
      medianSeconds: hasTimes ? secondsOf(timing.median) : undefined,
      medianBefore: earlier && earlier.total > 0 ? secondsOf(earlier.timing?.median) : undefined,
      p95Seconds: hasTimes ? secondsOf(timing.p95) : undefined,
    }
  })
  return { label, stages }
}

/** The share of those who began a funnel without a breakdown that completed it, in percent; none of a chart of times. */
export function conversionOf(
  { result, previous }: ComparedResult,
  spec: InsightQuerySpec | undefined,
): SeriesTotal | undefined {
  if (result.case !== 'funnel' || result.value.series.length !== 1) return undefined
  const [series] = result.value.series
  if (!series || series.timeToConvert !== undefined) return undefined
  const before = previous?.case === 'funnel' ? previous.value.series : undefined
  const last = funnelRun(series, before, spec?.funnel).stages.at(-1)
  if (last?.fromStart === undefined) return undefined
  return { value: percentOf(last.fromStart), previous: percentOf(last.fromStartBefore) }
}

function percentOf(share: number | undefined): number | undefined {
  return share === undefined ? undefined : share * 100
}

function secondsOf(duration: Duration | undefined): number | undefined {
  return duration && durationMs(duration) / 1000
}

function ratioOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || !whole ? undefined : part / whole
}

/** A box in pixels. */
export interface HatchBox {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Room between two lines of a hatched area. */
const HATCH_STEP = 8

/** The part of a box above a text that stands at its lower edge, so that no line runs behind the text. */
export function clearOfText(box: HatchBox, textHeight: number): HatchBox {
  return { ...box, height: Math.max(0, box.height - textHeight) }
}

/** Diagonal lines inside a box, as a path. */
export function hatchPath({ left, top, width, height }: HatchBox): string {
  const count = height > 0 ? Math.floor((width + height) / HATCH_STEP) : 0
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    // The line x + y = reach, cut to the box.
    const reach = (at + 1) * HATCH_STEP
    const start = reach <= height ? [0, reach] : [reach - height, height]
    const end = reach <= width ? [reach, 0] : [width, reach - width]
    const [[fromX = 0, fromY = 0], [toX = 0, toY = 0]] = [start, end]
    return `M${left + fromX} ${top + fromY}L${left + toX} ${top + toY}`
  }).join('')
}
