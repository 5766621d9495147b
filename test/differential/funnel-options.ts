import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import {
  FunnelOptions_Attribution,
  FunnelOptions_CountBy,
  FunnelOptions_Order,
  FunnelOptions_View,
  type FunnelOptionsSchema,
} from '../../src/contract/gen/millrace/insights/v1/funnel_options_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { generateEventFilter } from './generate-filters.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { BrokenRule } from './insight-type.ts'
import { EVENT } from './invalid-parts.ts'
import { EVENT_NAMES, PAUSES_MS } from './vocabulary.ts'

type Options = Exclude<MessageInitShape<typeof FunnelOptionsSchema>, { $typeName: string }>

/** Valid options of a funnel with that many steps; each one in some specs. */
export function generateFunnelOptions(rng: Prng, generated: GeneratedWorld, stepCount: number): Options {
  const { SEQUENTIAL, STRICT, ANY } = FunnelOptions_Order
  const order = rng.pick([SEQUENTIAL, SEQUENTIAL, SEQUENTIAL, STRICT, ANY])
  return {
    order,
    holdConstant: rng.chance(0.25) ? [rng.pick(['plan', 'flag', '$country', rng.pick(EVENT_NAMES)])] : [],
    countBy: rng.chance(0.25) ? FunnelOptions_CountBy.SESSIONS : FunnelOptions_CountBy.USERS,
    ...(order === ANY ? {} : generateLimits(rng, generated, stepCount)),
    ...(order === SEQUENTIAL && rng.chance(0.3) ? { optionalSteps: generateOptional(rng, stepCount) } : {}),
    ...generateAttribution(rng, stepCount),
    ...generateView(rng, stepCount),
  }
}

function generateLimits(
  rng: Prng,
  generated: GeneratedWorld,
  stepCount: number,
): Pick<Options, 'exclusions' | 'stepWindows'> {
  const exclusionCount = stepCount > 1 && rng.chance(0.4) ? 1 + rng.below(2) : 0
  return {
    exclusions: Array.from({ length: exclusionCount }, () => {
      const afterStep = 1 + rng.below(stepCount - 1)
      const beforeStep = afterStep + 1 + rng.below(stepCount - afterStep)
      return { event: generateEventFilter(rng, generated), afterStep, beforeStep }
    }),
    stepWindows: rng.chance(0.3)
      ? Array.from({ length: 1 + rng.below(stepCount) }, () => {
          const ms = rng.pick(PAUSES_MS)
          return { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1e6 }
        })
      : [],
  }
}

function generateOptional(rng: Prng, stepCount: number): readonly number[] & number[] {
  const inner = Array.from({ length: Math.max(0, stepCount - 2) }, (_, index) => index + 2)
  return inner.filter(() => rng.chance(0.5)).slice(0, 6)
}

function generateAttribution(rng: Prng, stepCount: number): Pick<Options, 'attribution' | 'attributionStep'> {
  const { FIRST_STEP, LAST_STEP, STEP_N } = FunnelOptions_Attribution
  const attribution = rng.pick([FIRST_STEP, FIRST_STEP, LAST_STEP, STEP_N])
  return { attribution, ...(attribution === STEP_N ? { attributionStep: 1 + rng.below(stepCount) } : {}) }
}

function generateView(rng: Prng, stepCount: number): Pick<Options, 'view' | 'fromStep' | 'toStep' | 'bins'> {
  const { STEPS, OVER_TIME, TIME_TO_CONVERT } = FunnelOptions_View
  const view = rng.pick(stepCount > 1 ? [STEPS, OVER_TIME, TIME_TO_CONVERT] : [STEPS, OVER_TIME])
  if (view !== TIME_TO_CONVERT) return { view }
  if (rng.chance(0.5)) return { view, bins: rng.pick([0, 0, 1, 2, 7, 60]) }
  const fromStep = 1 + rng.below(stepCount - 1)
  return { view, fromStep, toStep: fromStep + 1 + rng.below(stepCount - fromStep) }
}

const STEPS_OF_RULES = [EVENT, EVENT, EVENT]

/** The rules of the options, in a funnel of three steps. */
export function funnelOptionRules(): readonly BrokenRule[] {
  const exclusion = { event: { kind: 'x' }, afterStep: 1, beforeStep: 2 }
  const rules: readonly (readonly [name: string, funnel: JsonObject])[] = [
    ['a funnel needs a known order', { order: 3 }],
    ['a funnel counts something known', { countBy: 2 }],
    ['a funnel has a known view', { view: 3 }],
    ['a funnel has a known attribution', { attribution: 3 }],
    ['no step may be skipped in strict order', { order: 'ORDER_STRICT', optionalSteps: [2] }],
    ['no step may be skipped in any order', { order: 'ORDER_ANY', optionalSteps: [2] }],
    ['any order has no exclusions', { order: 'ORDER_ANY', exclusions: [exclusion] }],
    ['any order has no step windows', { order: 'ORDER_ANY', stepWindows: ['0s', '60s'] }],
    ['an exclusion needs an event', { exclusions: [{ afterStep: 1, beforeStep: 2 }] }],
    ['an exclusion needs the step after', { exclusions: [{ ...exclusion, beforeStep: 0 }] }],
    ['an exclusion needs the step before', { exclusions: [{ ...exclusion, afterStep: 0 }] }],
    ['an exclusion lies between two steps', { exclusions: [{ ...exclusion, afterStep: 2 }] }],
    ['an exclusion goes forward', { exclusions: [{ ...exclusion, afterStep: 3 }] }],
    ['an exclusion ends at a step', { exclusions: [{ ...exclusion, beforeStep: 4 }] }],
    ['an exclusion has no negative step', { exclusions: [{ ...exclusion, afterStep: -1 }] }],
    [
      'an exclusion has no filter without an operator',
      { exclusions: [{ ...exclusion, event: { filters: [{ property: 'a' }] } }] },
    ],
    ['a funnel has twenty exclusions at most', { exclusions: Array(21).fill(exclusion) }],
    ['three properties are held constant at most', { holdConstant: ['a', 'b', 'c', 'd'] }],
    ['a property is held constant once', { holdConstant: ['a', 'a'] }],
    ['a property that is held constant has a name', { holdConstant: [''] }],
    ['a property that is held constant has a valid name', { holdConstant: ['a b'] }],
    ['the first step is not optional', { optionalSteps: [1] }],
    ['the last step is not optional', { optionalSteps: [3] }],
    ['an optional step is a step', { optionalSteps: [4] }],
    ['an optional step is not 0', { optionalSteps: [0] }],
    ['a step is optional once', { optionalSteps: [2, 2] }],
    ['a step window is not negative', { stepWindows: ['0s', '-1s'] }],
    ['there is no window without a step', { stepWindows: ['0s', '1s', '1s', '1s'] }],
    ['STEP_N needs a step', { attribution: 'ATTRIBUTION_STEP_N' }],
    ['STEP_N needs a step of the funnel', { attribution: 'ATTRIBUTION_STEP_N', attributionStep: 4 }],
    ['STEP_N needs a positive step', { attribution: 'ATTRIBUTION_STEP_N', attributionStep: -1 }],
    ['FIRST_STEP has no number', { attributionStep: 2 }],
    ['LAST_STEP has no number', { attribution: 'ATTRIBUTION_LAST_STEP', attributionStep: 2 }],
    ['a time goes from one step to another', { view: 'VIEW_TIME_TO_CONVERT', fromStep: 2, toStep: 2 }],
    ['a time goes forward', { view: 'VIEW_TIME_TO_CONVERT', fromStep: 3, toStep: 2 }],
    ['a time does not start at the last step', { view: 'VIEW_TIME_TO_CONVERT', fromStep: 3 }],
    ['a time does not end at the first step', { view: 'VIEW_TIME_TO_CONVERT', toStep: 1 }],
    ['a time ends at a step', { view: 'VIEW_TIME_TO_CONVERT', toStep: 4 }],
    ['a time has no 61 bins', { view: 'VIEW_TIME_TO_CONVERT', bins: 61 }],
    ['a time has no negative bins', { view: 'VIEW_TIME_TO_CONVERT', bins: -1 }],
  ]
  return [
    ...rules.map(([name, funnel]) => ({ name, fields: { events: STEPS_OF_RULES, funnel } })),
    {
      name: 'seven of eight steps are not optional',
      fields: { events: Array(9).fill(EVENT), funnel: { optionalSteps: [2, 3, 4, 5, 6, 7, 8] } },
    },
    {
      name: 'one step takes no time',
      fields: { events: [EVENT], funnel: { view: 'VIEW_TIME_TO_CONVERT' } },
    },
  ]
}
