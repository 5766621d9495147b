import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import {
  ThresholdRule_Operator as Operator,
  ThresholdRuleSchema,
  ThresholdRule_Tone as Tone,
} from '../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import { bandsOf, toneOf } from './thresholds.ts'

const ruleOf = (operator: Operator, value: number, tone: Tone) =>
  create(ThresholdRuleSchema, { operator, value, tone })
const rules = [
  ruleOf(Operator.LT, 10, Tone.BAD),
  ruleOf(Operator.LTE, 20, Tone.WARN),
  ruleOf(Operator.GT, 90, Tone.NEUTRAL),
  ruleOf(Operator.GTE, 50, Tone.GOOD),
]

test('the first rule that a value meets decides its tone', () => {
  const tones = [9, 10, 20, 21, 49, 50, 90, 91].map((value) => toneOf(value, rules))
  const low = ['bad', 'warn', 'warn', undefined, undefined]
  expect(tones).toEqual([...low, 'good', 'good', 'neutral'])
})

test('a rule without an operator matches nothing', () => {
  expect(toneOf(1, [ruleOf(Operator.UNSPECIFIED, 1, Tone.GOOD)])).toBeUndefined()
})

test('bands cover the part of the axis that has a tone', () => {
  expect(bandsOf(rules, { min: 0, max: 60 })).toEqual([
    { from: 0, to: 10, tone: 'bad' },
    { from: 10, to: 20, tone: 'warn' },
    { from: 50, to: 60, tone: 'good' },
  ])
  expect(bandsOf([], { min: 0, max: 60 })).toEqual([])
})
