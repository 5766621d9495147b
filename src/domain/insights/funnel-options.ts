import type { Duration } from '@bufbuild/protobuf/wkt'
import {
  type FunnelExclusion,
  type FunnelOptions,
  FunnelOptions_Attribution,
  FunnelOptions_CountBy,
  FunnelOptions_Order,
  FunnelOptions_View,
} from '../../contract/gen/millrace/insights/v1/funnel_options_pb.js'
import { bucketStarts } from './buckets.ts'
import { type InsightContext, invalidSpec } from './insight-context.ts'
import { type EventMatch, parseEventFilter } from './parse-filters.ts'
import type { EventProperty } from './property.ts'
import { parseEventProperty } from './series.ts'

/** How the attempts of a funnel are found, and what is answered besides the steps. Steps are numbered from 0. */
export interface AttemptRules {
  /** Order in which the steps are taken. */
  readonly order: 'sequential' | 'strict' | 'any'
  /** Events that void an attempt. */
  readonly exclusions: readonly Exclusion[]
  /** Properties that have one text, which is not empty, on all events of an attempt. */
  readonly holdConstant: readonly EventProperty[]
  readonly countBy: 'users' | 'sessions'
  /** Steps that may be skipped, ascending. */
  readonly optionalSteps: readonly number[]
  /** Longest time from the previous reached step, inclusive, by step; infinite without a limit. */
  readonly stepWindowsMs: readonly number[]
  /** The step whose event has the breakdown values. */
  readonly attribution: number
  readonly view: FunnelView
}

/** Events between the events of two steps, or until the end of the window if the second one is not reached. */
export interface Exclusion {
  readonly match: EventMatch
  readonly after: number
  readonly before: number
}

/** What a funnel answers besides its steps. */
export type FunnelView =
  | { readonly kind: 'steps' }
  /** `starts`: the buckets, ascending, in milliseconds since the Unix epoch. */
  | { readonly kind: 'over_time'; readonly starts: readonly number[] }
  /** `bins`: 0 for as many as suit the number of times. */
  | { readonly kind: 'time_to_convert'; readonly from: number; readonly to: number; readonly bins: number }

const EXCLUSIONS_MAX = 20
const PROPERTIES_MAX = 3
/** Every choice of optional steps is tried: 64 for six of them. */
const OPTIONAL_MAX = 6
const BINS_MAX = 60

const ORDERS = {
  [FunnelOptions_Order.SEQUENTIAL]: 'sequential',
  [FunnelOptions_Order.STRICT]: 'strict',
  [FunnelOptions_Order.ANY]: 'any',
} as const satisfies Record<FunnelOptions_Order, AttemptRules['order']>

const COUNTS = {
  [FunnelOptions_CountBy.USERS]: 'users',
  [FunnelOptions_CountBy.SESSIONS]: 'sessions',
} as const satisfies Record<FunnelOptions_CountBy, AttemptRules['countBy']>

/** Parses the options of a funnel with `stepCount` steps; absent ones are the defaults. Throws `invalid_argument`. */
export function parseFunnelOptions(
  options: FunnelOptions,
  stepCount: number,
  context: InsightContext,
): AttemptRules {
  const order = ORDERS[options.order]
  const countBy = COUNTS[options.countBy]
  if (order === undefined) throw invalidOption('order', 'is unknown')
  if (countBy === undefined) throw invalidOption('countBy', 'is unknown')
  checkOrder(options)
  return {
    order,
    countBy,
    exclusions: parseExclusions(options, stepCount),
    holdConstant: parseHoldConstant(options),
    optionalSteps: parseOptionalSteps(options, stepCount),
    stepWindowsMs: parseStepWindows(options, stepCount),
    attribution: parseAttribution(options, stepCount),
    view: parseView(options, stepCount, context),
  }
}

/** Whether attempts differ from those of a funnel without options, or their number alone is not enough. */
export function hasPlainAttempts(rules: AttemptRules): boolean {
  return (
    rules.order === 'sequential' &&
    rules.countBy === 'users' &&
    rules.exclusions.length === 0 &&
    rules.holdConstant.length === 0 &&
    rules.optionalSteps.length === 0 &&
    rules.stepWindowsMs.every((windowMs) => windowMs === Number.POSITIVE_INFINITY) &&
    rules.attribution === 0 &&
    rules.view.kind !== 'over_time'
  )
}

function checkOrder({ order, exclusions, optionalSteps, stepWindows }: FunnelOptions): void {
  const { ANY, SEQUENTIAL } = FunnelOptions_Order
  if (order !== SEQUENTIAL && optionalSteps.length > 0)
    throw invalidOption('optionalSteps', 'needs ORDER_SEQUENTIAL')
  if (order === ANY && exclusions.length > 0)
    throw invalidOption('exclusions', 'does not work with ORDER_ANY')
  if (order === ANY && stepWindows.length > 0)
    throw invalidOption('stepWindows', 'does not work with ORDER_ANY')
}

function parseExclusions({ exclusions }: FunnelOptions, stepCount: number): readonly Exclusion[] {
  if (exclusions.length > EXCLUSIONS_MAX)
    throw invalidOption('exclusions', `must be at most ${EXCLUSIONS_MAX}`)
  return exclusions.map((exclusion, index) => parseExclusion(exclusion, `exclusions[${index}]`, stepCount))
}

function parseExclusion(
  { event, afterStep, beforeStep }: FunnelExclusion,
  field: string,
  stepCount: number,
): Exclusion {
  if (!event) throw invalidOption(`${field}.event`, 'is required')
  checkStep(afterStep, `${field}.afterStep`, stepCount)
  checkStep(beforeStep, `${field}.beforeStep`, stepCount)
  if (afterStep >= beforeStep) throw invalidOption(`${field}.beforeStep`, 'must be higher than afterStep')
  const match = parseEventFilter(event, {
    field: `spec.funnel.${field}.event`,
    reason: 'INVALID_INSIGHT_QUERY',
  })
  return { match, after: afterStep - 1, before: beforeStep - 1 }
}

function parseHoldConstant({ holdConstant }: FunnelOptions): readonly EventProperty[] {
  if (holdConstant.length > PROPERTIES_MAX)
    throw invalidOption('holdConstant', `must be at most ${PROPERTIES_MAX}`)
  if (new Set(holdConstant).size < holdConstant.length)
    throw invalidOption('holdConstant', 'must not name a property twice')
  return holdConstant.map((name, index) => parseEventProperty(name, `funnel.holdConstant[${index}]`))
}

function parseOptionalSteps({ optionalSteps }: FunnelOptions, stepCount: number): readonly number[] {
  if (optionalSteps.length > OPTIONAL_MAX)
    throw invalidOption('optionalSteps', `must be at most ${OPTIONAL_MAX}`)
  if (new Set(optionalSteps).size < optionalSteps.length)
    throw invalidOption('optionalSteps', 'must not name a step twice')
  optionalSteps.forEach((step, index) => {
    const field = `optionalSteps[${index}]`
    checkStep(step, field, stepCount)
    if (step === 1 || step === stepCount) throw invalidOption(field, 'must not be the first or the last step')
  })
  return optionalSteps.map((step) => step - 1).sort((left, right) => left - right)
}

function parseStepWindows({ stepWindows }: FunnelOptions, stepCount: number): readonly number[] {
  if (stepWindows.length > stepCount)
    throw invalidOption('stepWindows', `must not be more than the ${stepCount} steps`)
  return Array.from({ length: stepCount }, (_, step) =>
    step === 0 ? Number.POSITIVE_INFINITY : parseStepWindow(stepWindows[step], step),
  )
}

/** Events are whole milliseconds apart, so the part of a window beyond them changes nothing. */
function parseStepWindow(window: Duration | undefined, step: number): number {
  if (!window || (window.seconds === 0n && window.nanos === 0)) return Number.POSITIVE_INFINITY
  const { seconds, nanos } = window
  if (seconds < 0n || nanos < 0) throw invalidOption(`stepWindows[${step}]`, 'must not be negative')
  return Number(seconds) * 1000 + Math.floor(nanos / 1e6)
}

function parseAttribution({ attribution, attributionStep }: FunnelOptions, stepCount: number): number {
  const { FIRST_STEP, LAST_STEP, STEP_N } = FunnelOptions_Attribution
  if (attribution === STEP_N) {
    checkStep(attributionStep, 'attributionStep', stepCount)
    return attributionStep - 1
  }
  if (attributionStep !== 0) throw invalidOption('attributionStep', 'needs ATTRIBUTION_STEP_N')
  if (attribution === LAST_STEP) return stepCount - 1
  if (attribution === FIRST_STEP) return 0
  throw invalidOption('attribution', 'is unknown')
}

function parseView(options: FunnelOptions, stepCount: number, context: InsightContext): FunnelView {
  const { view, fromStep, toStep, bins } = options
  const isTimed = view === FunnelOptions_View.TIME_TO_CONVERT
  const [from, to] = [fromStep || 1, toStep || stepCount]
  if (isTimed || fromStep !== 0 || toStep !== 0) {
    checkStep(from, 'fromStep', stepCount)
    checkStep(to, 'toStep', stepCount)
    if (from >= to) throw invalidOption('toStep', 'must be higher than fromStep')
  }
  if (bins < 0 || bins > BINS_MAX) throw invalidOption('bins', `must be 0 to ${BINS_MAX}`)
  if (isTimed) return { kind: 'time_to_convert', from: from - 1, to: to - 1, bins }
  if (view === FunnelOptions_View.STEPS) return { kind: 'steps' }
  if (view !== FunnelOptions_View.OVER_TIME) throw invalidOption('view', 'is unknown')
  const { range, granularity, zone } = context
  return { kind: 'over_time', starts: bucketStarts({ ...range, width: granularity, zone }) }
}

function checkStep(step: number, field: string, stepCount: number): void {
  if (step < 1 || step > stepCount) throw invalidOption(field, `must be 1 to ${stepCount}`)
}

function invalidOption(field: string, description: string): Error {
  return invalidSpec(`funnel.${field}`, description)
}
