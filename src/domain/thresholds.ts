import {
  ThresholdRule_Operator as Operator,
  type ThresholdRule,
  ThresholdRule_Tone as Tone,
} from '../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'

/** The meaning of a value that meets a rule. */
export type ToneName = 'good' | 'warn' | 'bad' | 'neutral'

/** A part of the value axis that has a tone. */
export interface Band {
  readonly from: number
  readonly to: number
  readonly tone: ToneName
}

const TONE_NAMES = {
  [Tone.UNSPECIFIED]: 'neutral',
  [Tone.GOOD]: 'good',
  [Tone.WARN]: 'warn',
  [Tone.BAD]: 'bad',
  [Tone.NEUTRAL]: 'neutral',
} as const satisfies Record<Tone, ToneName>

const MEETS = {
  [Operator.UNSPECIFIED]: () => false,
  [Operator.LT]: (value, bound) => value < bound,
  [Operator.LTE]: (value, bound) => value <= bound,
  [Operator.GT]: (value, bound) => value > bound,
  [Operator.GTE]: (value, bound) => value >= bound,
} as const satisfies Record<Operator, (value: number, bound: number) => boolean>

/** The tone of a value: that of the first rule it meets; `undefined` if it meets none. */
export function toneOf(value: number, rules: readonly ThresholdRule[]): ToneName | undefined {
  const met = rules.find((rule) => MEETS[rule.operator](value, rule.value))
  return met && TONE_NAMES[met.tone]
}

/** The bands of a value axis, from low to high; parts without a tone are left out. */
export function bandsOf(
  rules: readonly ThresholdRule[],
  { min, max }: { readonly min: number; readonly max: number },
): readonly Band[] {
  const inside = rules.map(({ value }) => value).filter((value) => value > min && value < max)
  const edges = [min, ...new Set(inside.sort((a, b) => a - b)), max]
  return edges.slice(1).flatMap((to, index) => {
    const from = edges[index] ?? min
    const tone = toneOf((from + to) / 2, rules)
    return tone === undefined ? [] : [{ from, to, tone }]
  })
}

/** The tone of a rule. */
export function toneOfRule({ tone }: ThresholdRule): ToneName {
  return TONE_NAMES[tone]
}
