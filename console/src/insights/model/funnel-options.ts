import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { EventDraft } from './draft.ts'
import { type Json, listOf, recordOf } from './json.ts'
import { decodeEvent, encodeEvent } from './series.ts'

/** The orders in which steps are taken, as the contract names them. */
export const STEP_ORDERS = ['ORDER_SEQUENTIAL', 'ORDER_STRICT', 'ORDER_ANY'] as const
/** An order of steps. */
export type StepOrder = (typeof STEP_ORDERS)[number]

/** What a funnel counts, as the contract names it. */
export const COUNTED = ['COUNT_BY_USERS', 'COUNT_BY_SESSIONS'] as const
/** What a funnel counts. */
export type Counted = (typeof COUNTED)[number]

/** The answers of a funnel, as the contract names them. */
export const FUNNEL_VIEWS = ['VIEW_STEPS', 'VIEW_OVER_TIME', 'VIEW_TIME_TO_CONVERT'] as const
/** An answer of a funnel. */
export type FunnelView = (typeof FUNNEL_VIEWS)[number]

/** Events that must not happen between two steps, which are numbered from 1. */
export interface ExclusionDraft extends EventDraft {
  readonly after: number
  readonly before: number
}

/** The options of a funnel. Steps are numbered from 1; 0 is the default. */
export interface FunnelOptionsDraft {
  readonly order: StepOrder
  readonly counted: Counted
  readonly view: FunnelView
  readonly exclusions: readonly ExclusionDraft[]
  readonly holdConstant: readonly string[]
  readonly optionalSteps: readonly number[]
  /** Durations in proto JSON, the first one for the first step. */
  readonly stepWindows: readonly string[]
  /** The step whose event has the values of breakdowns. */
  readonly attributionStep: number
  readonly fromStep: number
  readonly toStep: number
  readonly bins: number
}

/** A funnel whose options are all off. */
export const NO_FUNNEL_OPTIONS: FunnelOptionsDraft = {
  order: 'ORDER_SEQUENTIAL',
  counted: 'COUNT_BY_USERS',
  view: 'VIEW_STEPS',
  exclusions: [],
  holdConstant: [],
  optionalSteps: [],
  stepWindows: [],
  attributionStep: 0,
  fromStep: 0,
  toStep: 0,
  bins: 0,
}

/**
 * The options in proto JSON, without those that name steps which the funnel no longer has, or that its order does not take;
 * nothing when all are off.
 */
export function encodeFunnelOptions(options: FunnelOptionsDraft, stepCount: number): JsonObject {
  const { order, counted, view, bins } = options
  const isStep = (step: number): boolean => step >= 1 && step <= stepCount
  const isTimed = view === 'VIEW_TIME_TO_CONVERT' && stepCount > 1
  const exclusions = options.exclusions.filter(({ after, before }) => after < before && isStep(before))
  const optional = options.optionalSteps.filter((step) => step > 1 && step < stepCount)
  const hasTimes =
    isTimed && isStep(options.toStep || stepCount) && (options.fromStep || 1) < (options.toStep || stepCount)
  const json: JsonObject = {
    ...(order !== 'ORDER_SEQUENTIAL' && { order }),
    ...(counted !== 'COUNT_BY_USERS' && { countBy: counted }),
    ...(order !== 'ORDER_ANY' && exclusions.length > 0 && { exclusions: exclusions.map(encodeExclusion) }),
    ...(options.holdConstant.length > 0 && { holdConstant: [...options.holdConstant] }),
    ...(order === 'ORDER_SEQUENTIAL' && optional.length > 0 && { optionalSteps: optional }),
    ...(order !== 'ORDER_ANY' &&
      options.stepWindows.length > 0 && { stepWindows: options.stepWindows.slice(0, stepCount) }),
    ...(options.attributionStep > 1 &&
      isStep(options.attributionStep) &&
      encodeAttribution(options.attributionStep)),
    ...((view === 'VIEW_OVER_TIME' || isTimed) && { view }),
    ...(hasTimes && options.fromStep > 0 && { fromStep: options.fromStep }),
    ...(hasTimes && options.toStep > 0 && { toStep: options.toStep }),
    ...(isTimed && bins > 0 && { bins }),
  }
  return Object.keys(json).length === 0 ? {} : { funnel: json }
}

/** The longest time of a step from the one before, in seconds; 0 for no limit. */
export function stepWindow({ stepWindows }: FunnelOptionsDraft, step: number): number {
  return Number.parseFloat(stepWindows[step - 1] ?? '0')
}

/** The options with the longest time of a step in seconds, 0 for no limit. */
export function withStepWindow(
  options: FunnelOptionsDraft,
  ...[step, seconds]: readonly [step: number, seconds: number]
): FunnelOptionsDraft {
  const windows = Array.from({ length: Math.max(options.stepWindows.length, step) }, (_, index) =>
    index === step - 1 ? `${seconds}s` : (options.stepWindows[index] ?? '0s'),
  )
  const last = windows.findLastIndex((window) => Number.parseFloat(window) > 0)
  return { ...options, stepWindows: windows.slice(0, last + 1) }
}

function encodeExclusion({ after, before, ...event }: ExclusionDraft): JsonObject {
  return { event: encodeEvent(event), afterStep: after, beforeStep: before }
}

function encodeAttribution(step: number): JsonObject {
  return { attribution: 'ATTRIBUTION_STEP_N', attributionStep: step }
}

/** The draft of the options of a spec with that many steps. */
export function decodeFunnelOptions({ funnel }: Json, stepCount: number): FunnelOptionsDraft {
  const json = recordOf(funnel)
  return {
    order: STEP_ORDERS.find((known) => known === json.order) ?? NO_FUNNEL_OPTIONS.order,
    counted: COUNTED.find((known) => known === json.countBy) ?? NO_FUNNEL_OPTIONS.counted,
    view: FUNNEL_VIEWS.find((known) => known === json.view) ?? NO_FUNNEL_OPTIONS.view,
    exclusions: listOf(json.exclusions).map(({ event, afterStep, beforeStep }) => ({
      ...decodeEvent(event),
      after: Number(afterStep ?? 0),
      before: Number(beforeStep ?? 0),
    })),
    holdConstant: valuesOf(json.holdConstant).map(String),
    optionalSteps: valuesOf(json.optionalSteps).map(Number),
    stepWindows: valuesOf(json.stepWindows).map(String),
    attributionStep: decodeAttribution(json, stepCount),
    fromStep: Number(json.fromStep ?? 0),
    toStep: Number(json.toStep ?? 0),
    bins: Number(json.bins ?? 0),
  }
}

function decodeAttribution({ attribution, attributionStep }: Json, stepCount: number): number {
  if (attribution === 'ATTRIBUTION_LAST_STEP') return stepCount
  return attribution === 'ATTRIBUTION_STEP_N' ? Number(attributionStep ?? 0) : 0
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
