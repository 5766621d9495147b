import { clone } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type AlertContent,
  type AlertPoint,
  AlertFunnelPoint_Measure as Measure,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import { RetentionOptions_Periods as Periods } from '../../contract/gen/millrace/insights/v1/retention_options_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { DataPoint, FunnelStep } from '../../contract/gen/shared/insights/v1/query_result_pb.js'
import type { Reach } from './alert-units.ts'
import {
  beyondLimit,
  breakdownLimitFor,
  checkSeriesName,
  findSeries,
  invalidPoint,
  VALUES_MAX,
} from './series-readers.ts'

type Kind = Exclude<AlertPoint['kind'], { case: undefined }>
type KindCase = Kind['case']
type PointOf<Case extends KindCase> = Extract<Kind, { case: Case }>['value']

/** The rules of the points of one kind. */
interface PointRules<Point> {
  readonly types: readonly InsightType[]
  /** Throws `invalid_argument` for a point that the spec does not have. */
  check(spec: InsightQuerySpec, point: Point, content: AlertContent): void
  /** The spec that is asked: the same number, and only what it needs. */
  narrow(spec: InsightQuerySpec, point: Point, content: AlertContent): InsightQuerySpec
  reach(spec: InsightQuerySpec, point: Point, content: AlertContent): Reach
  /** The number in the answer to the narrowed spec; `undefined` where there is none. Throws `invalid_argument`. */
  read(answer: QueryResponse, point: Point, spec: InsightQuerySpec): number | undefined
  /** The values of all buckets of an answer over time; `undefined` for other answers. Throws `invalid_argument`. */
  list?(answer: QueryResponse, point: Point, spec: InsightQuerySpec): readonly DataPoint[] | undefined
}

const ONE_UNIT: Reach = { count: 1, step: 1 }

/** The range of an insight without a time axis. */
function chosenReach(content: AlertContent): Reach {
  const count = content.rangeUnits || 1
  return { count, step: count }
}

function copyOf(spec: InsightQuerySpec, change: Partial<InsightQuerySpec>): InsightQuerySpec {
  return Object.assign(clone(InsightQuerySpecSchema, spec), change)
}

function linesOf({ events, formulas }: InsightQuerySpec): number {
  return Math.max(1, events.length) + formulas.length
}

/** A segmentation of one unit is asked as trends of one bucket: its formulas can then have no number. */
function isOneBucket(spec: InsightQuerySpec, { rangeUnits }: AlertContent): boolean {
  return spec.insightType === InsightType.TRENDS || rangeUnits <= 1
}

const NO_SUCH_SERIES = 'names a series that the insight does not have'

const SERIES: PointRules<PointOf<'series'>> = {
  types: [InsightType.TRENDS, InsightType.SEGMENTATION],
  check: (spec, point) => {
    if (point.series >= linesOf(spec)) throw invalidPoint(NO_SUCH_SERIES)
    checkSeriesName(spec, point)
  },
  narrow: (spec, point, content) => {
    const asked = copyOf(spec, {
      insightType: isOneBucket(spec, content) ? InsightType.TRENDS : spec.insightType,
      breakdownLimit: breakdownLimitFor(spec, point),
    })
    if (asked.breakdowns.length === 0) return asked
    // Series of one kind cannot be told apart where each has one line for each value.
    const position = point.series - Math.max(1, spec.events.length)
    if (position >= 0) asked.formulas = asked.formulas.slice(position, position + 1)
    else {
      asked.events = asked.events.slice(point.series, point.series + 1)
      asked.formulas = []
    }
    return asked
  },
  reach: (spec, _, content) => (isOneBucket(spec, content) ? ONE_UNIT : chosenReach(content)),
  read: (answer, point, spec) => {
    const { result } = answer
    if (result.case === 'segmentation') return readNumbers(result.value, point)
    return result.case === 'trends' ? numberOf(listPoints(answer, point, spec).at(-1)) : undefined
  },
  list: listPoints,
}

function listPoints(
  { result }: QueryResponse,
  point: PointOf<'series'>,
  spec: InsightQuerySpec,
): readonly DataPoint[] {
  if (result.case !== 'trends') return []
  const { breakdowns, breakdownCohortIds } = spec
  const all = result.value.series
  const linesPerPlace = Math.max(1, breakdownCohortIds.length)
  const isFormula = spec.formulas.length > 0
  const ofLine =
    breakdowns.length > 0
      ? all.filter(({ formula }) => (formula !== '') === isFormula)
      : all.slice(point.series * linesPerPlace, (point.series + 1) * linesPerPlace)
  return findSeries(ofLine, spec, point)?.points ?? []
}

/** A bucket without a point has no events. */
function numberOf(point: DataPoint | undefined): number | undefined {
  return point?.isUndefined ? undefined : (point?.value ?? 0)
}

function readNumbers(
  numbers: Extract<QueryResponse['result'], { case: 'segmentation' }>['value'],
  { series, breakdown }: PointOf<'series'>,
): number {
  const wanted = Object.entries(breakdown)
  const part =
    wanted.length === 0
      ? numbers
      : numbers.series.find((one) => wanted.every(([key, value]) => one.breakdown[key] === value))
  return part?.values[series] ?? part?.total ?? 0
}

const FUNNEL: PointRules<PointOf<'funnel'>> = {
  types: [InsightType.FUNNEL],
  check: (spec, point) => {
    if (point.step > spec.events.length) throw invalidPoint('names a step that the funnel does not have')
    checkSeriesName(spec, point)
  },
  narrow: (spec, point) => copyOf(spec, { breakdownLimit: breakdownLimitFor(spec, point) }),
  reach: (_, __, content) => chosenReach(content),
  read: ({ result }, point, spec) => {
    if (result.case !== 'funnel') return undefined
    const steps = findSeries(result.value.series, spec, point)?.steps
    const step = steps?.[point.step - 1]
    if (!steps || !step) return point.measure === Measure.TOTAL ? 0 : undefined
    return readStep(point, { step, steps, spec })
  },
}

function readStep(
  { measure, step: number }: PointOf<'funnel'>,
  of: {
    readonly step: FunnelStep
    readonly steps: readonly FunnelStep[]
    readonly spec: InsightQuerySpec
  },
): number | undefined {
  const { step, steps, spec } = of
  if (measure === Measure.TOTAL) return step.total
  if (measure === Measure.RATE_FROM_FIRST) return steps[0]?.total ? step.conversionFromFirst : undefined
  const optional = spec.funnel?.optionalSteps ?? []
  const before = steps.findLast((_, index) => index + 1 < number && !optional.includes(index + 1))
  const base = number === 1 ? step : before
  return base?.total ? step.conversionFromPrevious : undefined
}

const RETENTION: PointRules<PointOf<'retention'>> = {
  types: [InsightType.RETENTION],
  check: checkSeriesName,
  narrow: (spec, point) => copyOf(spec, { breakdownLimit: breakdownLimitFor(spec, point) }),
  // The period of a user who starts at the end of the first bucket ends one unit later when it counts from the start.
  reach: (spec, { period }) => ({
    count: period + (spec.retention?.periods === Periods.ELAPSED ? 2 : 1),
    step: 1,
  }),
  read: ({ result }, point, spec) => {
    if (result.case !== 'retention') return undefined
    const cohort = findSeries(result.value.series, spec, point)?.cohorts[0]
    return cohort?.cohortSize ? cohort.points[point.period]?.value : undefined
  },
}

const LIFECYCLE: PointRules<PointOf<'lifecycle'>> = {
  types: [InsightType.LIFECYCLE],
  check: () => undefined,
  narrow: (spec) => spec,
  reach: () => ONE_UNIT,
  read: (answer, point) => numberOf(listStates(answer, point).at(-1)),
  list: listStates,
}

function listStates({ result }: QueryResponse, { state }: PointOf<'lifecycle'>): readonly DataPoint[] {
  const series = result.case === 'lifecycle' ? result.value.series : []
  return series.find((one) => one.state === state)?.points ?? []
}

const STICKINESS: PointRules<PointOf<'stickiness'>> = {
  types: [InsightType.STICKINESS],
  check: (spec, { series, buckets }, { rangeUnits }) => {
    if (series >= spec.events.length) throw invalidPoint(NO_SUCH_SERIES)
    if (buckets > (rangeUnits || 1)) throw invalidPoint('names more active buckets than rangeUnits has')
  },
  narrow: (spec) => spec,
  reach: (_, __, content) => chosenReach(content),
  read: ({ result }, { series, buckets, cumulative }) => {
    if (result.case !== 'stickiness') return undefined
    const point = result.value.series[series]?.points.find((one) => one.buckets === buckets)
    return Number((cumulative ? point?.cumulative : point?.users) ?? 0)
  },
}

const USER_FLOW: PointRules<PointOf<'userFlow'>> = {
  types: [InsightType.USER_FLOW],
  check: () => undefined,
  narrow: (spec) => spec,
  reach: (_, __, content) => chosenReach(content),
  read: ({ result }, { depth, source, target }) => {
    if (result.case !== 'userFlow') return undefined
    const { nodes, links } = result.value
    const idOf = (at: number, label: string): string | undefined =>
      nodes.find((node) => node.depth === at && !node.isOthers && node.label === label)?.id
    const [from, to] = [idOf(depth, source), idOf(depth + 1, target)]
    const hasRest = (at: number): boolean => nodes.some((node) => node.depth === at && node.isOthers)
    if ((!from && hasRest(depth)) || (!to && hasRest(depth + 1))) throw beyondLimit('node')
    return Number(links.find((link) => link.source === from && link.target === to)?.value ?? 0)
  },
}

const ROW: PointRules<PointOf<'row'>> = {
  types: [InsightType.TOP_K, InsightType.MAP],
  check: (spec, { value, others }) => {
    if (others && spec.insightType === InsightType.MAP)
      throw invalidPoint('names other rows, which a map lacks')
    if (others && value !== '') throw invalidPoint('must name a row or the other rows, not both')
  },
  narrow: (spec, { others }) => {
    const asked = copyOf(spec, {})
    if (asked.topK) {
      asked.topK.omitOthers = false
      if (!others) asked.topK.limit = VALUES_MAX
    }
    return asked
  },
  reach: (_, __, content) => chosenReach(content),
  read: ({ result }, { value, others }) => {
    if (result.case !== 'topK') return undefined
    const { rows } = result.value
    const found = rows.find((row) => row.isOthers === others && (others || row.dimensionValue === value))
    if (!found && rows.some(({ isOthers }) => isOthers)) throw beyondLimit('row')
    return found?.value ?? 0
  },
}

const RULES: { readonly [Case in KindCase]: PointRules<PointOf<Case>> } = {
  series: SERIES,
  funnel: FUNNEL,
  retention: RETENTION,
  lifecycle: LIFECYCLE,
  stickiness: STICKINESS,
  userFlow: USER_FLOW,
  row: ROW,
}

/** A point with the rules of its kind applied to the spec of its insight. */
export interface PreparedPoint {
  /** The spec that is asked. */
  readonly spec: InsightQuerySpec
  readonly reach: Reach
  /** The number in an answer; `undefined` where there is none. Throws `invalid_argument`. */
  readonly read: (answer: QueryResponse) => number | undefined
  /**
   * The values of an answer over many buckets by their starts, `undefined` where there is none; absent for answers without
   * buckets. A bucket that is not in it is 0. Throws `invalid_argument`.
   */
  readonly readAll: ((answer: QueryResponse) => ReadonlyMap<number, number | undefined>) | undefined
}

/** Prepares the point of an alert on an insight. Throws `invalid_argument` when the insight does not have it. */
export function preparePoint(spec: InsightQuerySpec, content: AlertContent): PreparedPoint {
  const kind = content.point?.kind
  if (!kind || kind.case === undefined) throw invalidPoint('is required')
  return prepare(spec, content, kind)
}

function prepare<Case extends KindCase>(
  spec: InsightQuerySpec,
  content: AlertContent,
  kind: { readonly case: Case; readonly value: PointOf<Case> },
): PreparedPoint {
  const rules: PointRules<PointOf<Case>> = RULES[kind.case]
  const point = kind.value
  if (!rules.types.includes(spec.insightType)) {
    const type = InsightType[spec.insightType]
    throw invalidPoint(`names a ${kind.case} point, which ${type} does not have`)
  }
  rules.check(spec, point, content)
  const asked = rules.narrow(spec, point, content)
  const { list } = rules
  const isOverTime = list && OVER_TIME.has(asked.insightType)
  return {
    spec: asked,
    reach: rules.reach(spec, point, content),
    read: (answer) => rules.read(answer, point, asked),
    readAll: isOverTime ? (answer) => byStart(list(answer, point, asked) ?? []) : undefined,
  }
}

const OVER_TIME: ReadonlySet<InsightType> = new Set([InsightType.TRENDS, InsightType.LIFECYCLE])

function byStart(points: readonly DataPoint[]): ReadonlyMap<number, number | undefined> {
  return new Map(points.map((point) => [point.time ? timestampMs(point.time) : 0, numberOf(point)]))
}
