import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { CohortDefinitionSchema } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import { MessageRules } from '../../contract/message-rules.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { cohortNotFound } from './cohort-filters.ts'
import { type CohortRule, countConditions } from './cohort-rule.ts'
import { parseDefinition, referencesOf } from './parse-cohort.ts'

const KNOWN = '00000000-0000-4000-8000-000000000001'
const BERLIN = 'Europe/Berlin'
const PURCHASE = { condition: { performed: { event: { kind: 'purchase' } } } }

function parse(json: JsonObject, now = '2026-03-30T10:00:00Z', timeZone = BERLIN): CohortRule {
  const lookup = (id: string): CohortRule => {
    if (id !== KNOWN) throw cohortNotFound()
    return { kind: 'listed', cohortId: id }
  }
  const context = { nowMs: Date.parse(now), timeZone, lookup }
  return parseDefinition(fromJson(CohortDefinitionSchema, json), 'definition', context)
}

function windowOf(window: JsonObject, now?: string, timeZone?: string): readonly string[] {
  const rule = parse({ condition: { performed: { window } } }, now, timeZone)
  if (rule.kind !== 'performed') throw new Error('not a rule about events')
  return [rule.window.fromMs, rule.window.toMs].map((ms) => new Date(ms).toISOString())
}

function nest(depth: number, inner: JsonObject): JsonObject {
  return depth === 0 ? inner : { group: { members: [nest(depth - 1, inner)] } }
}

function performed(fields: JsonObject): JsonObject {
  return { condition: { performed: fields } }
}

function trait(fields: JsonObject): JsonObject {
  return { condition: { trait: { filter: fields } } }
}

const FIFTY_ONE = { group: { members: Array.from({ length: 51 }, () => PURCHASE) } }
const IS_SET = 'FILTER_OPERATOR_IS_SET'
const PERFORMED = 'definition.condition.performed'

/** A definition that breaks one rule, with the field that the error names. */
const BROKEN: readonly (readonly [name: string, field: string, definition: JsonObject])[] = [
  ['a definition is not empty', 'definition', {}],
  ['a group is not empty', 'definition.group.members', { group: {} }],
  ['a member is not empty', 'definition.group.members[1]', { group: { members: [PURCHASE, {}] } }],
  [
    'a group in a group is not empty',
    'definition.group.members[0].group.members',
    { group: { members: [{ group: { operator: 'LOGICAL_OPERATOR_OR' } }] } },
  ],
  ['a condition is not empty', 'definition.condition', { condition: { negate: true } }],
  [
    'groups do not nest five deep',
    'definition.group.members[0].group.members[0].group.members[0].group.members[0].group',
    nest(5, PURCHASE),
  ],
  ['a definition has fifty conditions at most', 'definition.group.members[50].condition', FIFTY_ONE],
  [
    'a reference counts as a condition',
    'definition.group.members[50].condition',
    {
      group: { members: Array.from({ length: 51 }, () => ({ condition: { cohort: { cohortId: KNOWN } } })) },
    },
  ],
  ['a count needs an operator', `${PERFORMED}.count.operator`, performed({ count: { value: '2' } })],
  ['a count needs a known operator', `${PERFORMED}.count.operator`, performed({ count: { operator: 99 } })],
  [
    'a count is not negative',
    `${PERFORMED}.count.value`,
    performed({ count: { operator: 'OPERATOR_AT_LEAST', value: '-1' } }),
  ],
  ['a window is not empty', `${PERFORMED}.window`, performed({ window: {} })],
  ['a window has a day', `${PERFORMED}.window.lastDays`, performed({ window: { lastDays: 0 } })],
  ['a window has no negative days', `${PERFORMED}.window.lastDays`, performed({ window: { lastDays: -7 } })],
  [
    'a window has a century at most',
    `${PERFORMED}.window.lastDays`,
    performed({ window: { lastDays: 36_501 } }),
  ],
  ['ever is true', `${PERFORMED}.window.ever`, performed({ window: { ever: false } })],
  ['a range needs a start', `${PERFORMED}.window.range.from`, performed({ window: { range: {} } })],
  [
    'a range needs an end',
    `${PERFORMED}.window.range.to`,
    performed({ window: { range: { from: '2026-01-01T00:00:00Z' } } }),
  ],
  [
    'a range does not end before it starts',
    `${PERFORMED}.window.range`,
    performed({ window: { range: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } } }),
  ],
  [
    'the filter of an event needs an operator',
    `${PERFORMED}.event.filters[0].operator`,
    performed({ event: { filters: [{ property: 'plan' }] } }),
  ],
  [
    'the filter of an event needs a name',
    `${PERFORMED}.event.filters[0].property`,
    performed({ event: { filters: [{ property: 'a b', operator: IS_SET }] } }),
  ],
  [
    'a first event has a window with a day',
    'definition.condition.firstPerformed.window.lastDays',
    { condition: { firstPerformed: { window: { lastDays: 0 } } } },
  ],
  [
    'the filter of a first event has a value',
    'definition.condition.firstPerformed.event.filters[0].value',
    {
      condition: {
        firstPerformed: { event: { filters: [{ property: 'plan', operator: 'FILTER_OPERATOR_EQUALS' }] } },
      },
    },
  ],
  ['a trait needs a filter', 'definition.condition.trait.filter', { condition: { trait: {} } }],
  ['a trait needs an operator', 'definition.condition.trait.filter.operator', trait({ property: 'plan' })],
  ['a trait needs a name', 'definition.condition.trait.filter.property', trait({ operator: IS_SET })],
  [
    'a trait is no property of an event',
    'definition.condition.trait.filter.source',
    trait({ property: '$browser', operator: IS_SET, source: 'PROPERTY_SOURCE_AUTO' }),
  ],
  [
    'a trait is no property of a first event',
    'definition.condition.trait.filter.source',
    trait({ property: '$browser', operator: IS_SET, source: 'PROPERTY_SOURCE_FIRST_TOUCH' }),
  ],
  [
    'a number is compared with a number',
    'definition.condition.trait.filter.value',
    trait({ property: 'age', operator: 'FILTER_OPERATOR_GT', value: 'old' }),
  ],
  [
    'bounds are in order',
    'definition.group.members[0].condition.trait.filter.values',
    {
      group: {
        members: [trait({ property: 'age', operator: 'FILTER_OPERATOR_BETWEEN', values: ['9', '1'] })],
      },
    },
  ],
  ['a reference needs an id', 'definition.condition.cohort.cohortId', { condition: { cohort: {} } }],
]

test.each(BROKEN)('%s', (_, field, definition) => {
  const violations = (): readonly unknown[] => {
    try {
      parse(definition)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_argument')
        return error.violations.map((violation) => violation.field)
      throw error
    }
    return ['accepted']
  }
  expect(violations()).toEqual([field])
})

test('an unknown reference is not found', () => {
  const unknown = { condition: { cohort: { cohortId: 'x' } } }
  expect(() => parse(unknown)).toThrow(expect.objectContaining({ reason: 'COHORT_NOT_FOUND' }))
})

test('the rules of the interface accept what the parser accepts', () => {
  const rules = new MessageRules()
  const accepted = [nest(4, PURCHASE), performed({}), performed({ count: { operator: 'OPERATOR_AT_MOST' } })]
  expect(
    accepted.flatMap((json) => rules.check(CohortDefinitionSchema, fromJson(CohortDefinitionSchema, json))),
  ).toEqual([])
  expect(accepted.map((json) => countConditions(parse(json)))).toEqual([1, 1, 1])
})

describe('a window of days', () => {
  test.each([
    ['one is today', 1, '2026-03-30T10:00:00Z', '2026-03-29T22:00:00.000Z'],
    ['two begin before a change of the clocks', 2, '2026-03-30T10:00:00Z', '2026-03-28T23:00:00.000Z'],
    ['seven', 7, '2026-03-30T10:00:00Z', '2026-03-23T23:00:00.000Z'],
    ['the day is that of the zone', 1, '2026-03-30T22:30:00Z', '2026-03-30T22:00:00.000Z'],
  ])('%s', (_, lastDays, now, from) => {
    expect(windowOf({ lastDays }, now)).toEqual([from, now.replace('Z', '.000Z')])
  })

  test('a zone without daylight saving has days of 24 hours', () => {
    expect(windowOf({ lastDays: 3 }, '2026-03-30T10:00:00Z', 'Asia/Tokyo')).toEqual([
      '2026-03-27T15:00:00.000Z',
      '2026-03-30T10:00:00.000Z',
    ])
  })
})

test('conditions default to at least one event at any time', () => {
  expect(parse(PURCHASE)).toMatchObject({
    kind: 'performed',
    event: { kind: 'purchase' },
    count: { operator: 'at_least', value: 1n },
    window: { fromMs: 0, toMs: Date.UTC(2106, 0, 1) },
  })
})

test('groups combine with AND by default, and both nodes can be negated', () => {
  const rule = parse({
    group: { members: [{ condition: { cohort: { cohortId: KNOWN }, negate: true } }], negate: true },
  })
  const listed = { kind: 'listed', cohortId: KNOWN }
  expect(rule).toEqual({ kind: 'not', of: { kind: 'all', of: [{ kind: 'not', of: listed }] } })
})

test('references are found in all groups', () => {
  const reference = { condition: { cohort: { cohortId: KNOWN } } }
  const definition = fromJson(CohortDefinitionSchema, {
    group: { members: [PURCHASE, nest(3, reference), reference] },
  })
  expect(referencesOf(definition)).toEqual([KNOWN, KNOWN])
})
