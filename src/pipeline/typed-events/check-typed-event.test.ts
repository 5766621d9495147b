import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  propertySpellings,
  WELL_KNOWN_EVENTS,
  type WellKnownEvent,
} from '../../contract/well-known-events/catalogue.ts'
import type { PropertyRule, RuleType } from '../../contract/well-known-events/property-rules.ts'
import type { PropertyValue } from '../event/event.ts'
import { checkTypedEvent, hasTypedEventRules } from './check-typed-event.ts'
import type { TypedEventRule } from './value-check.ts'

const text = (value: string): PropertyValue => ({ type: 'string', value })
const int = (value: bigint): PropertyValue => ({ type: 'int', value })
const double = (value: number): PropertyValue => ({ type: 'double', value })
const bool = (value: boolean): PropertyValue => ({ type: 'bool', value })
const time = (value: number): PropertyValue => ({ type: 'time', value })

type Properties = Readonly<Record<string, PropertyValue>>

function check(kind: string, properties: Properties): readonly string[] {
  const row = new Map(Object.entries(properties))
  return checkTypedEvent(kind, row).map(({ property, rule }) => `${property} ${rule}`)
}

/** Values of each type that satisfy every rule of the catalogue. */
function validValue({ type, pattern, gte = 0 }: PropertyRule): PropertyValue {
  const values = {
    string: text(pattern === undefined ? 'x' : 'EUR'),
    int32: int(BigInt(gte)),
    int64: int(2n ** 40n),
    double: double(0.5),
    bool: bool(false),
    duration: text(`${gte}.5s`),
  } satisfies Record<RuleType, PropertyValue>
  return values[type]
}

const WRONG_TYPES = {
  string: [int(1n), double(1), bool(true), time(0)],
  int32: [text('1'), double(1), bool(true), time(0), int(2n ** 31n), int(-(2n ** 31n) - 1n)],
  int64: [text('1'), double(1), bool(true), time(0)],
  double: [text('1'), bool(true), time(0)],
  bool: [text('true'), int(1n), double(1), time(0)],
  duration: [text('1'), text('PT1S'), text(' 1s'), text('1.s'), bool(true), time(0), double(1e12)],
} satisfies Record<RuleType, readonly PropertyValue[]>

/** Values that break a rule, with the name of the rule. */
function invalidValues(rule: PropertyRule): readonly [PropertyValue, TypedEventRule][] {
  const invalid: [PropertyValue, TypedEventRule][] = WRONG_TYPES[rule.type].map((value) => [value, 'type'])
  const number = (value: number): PropertyValue =>
    rule.type === 'double' || rule.type === 'duration' ? double(value) : int(BigInt(value))
  if (rule.required) invalid.push([text(''), 'required'])
  if (rule.gt !== undefined) invalid.push([number(rule.gt), 'gt'], [number(rule.gt - 1), 'gt'])
  if (rule.gte !== undefined) invalid.push([number(rule.gte - 1), 'gte'])
  if (rule.lte !== undefined) invalid.push([number(rule.lte + 1), 'lte'])
  if (rule.pattern !== undefined) invalid.push([text('eur'), 'pattern'], [text(''), 'pattern'])
  return invalid
}

function validProperties({ properties }: WellKnownEvent, spelling: 'snake' | 'camel'): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, rule]) => {
      const [snake, camel] = propertySpellings(name)
      return [(spelling === 'camel' ? camel : snake) ?? name, validValue(rule)]
    }),
  )
}

describe.each(WELL_KNOWN_EVENTS.map((event) => [event.kind, event] as const))('%s', (kind, event) => {
  const valid = validProperties(event, 'snake')

  test('accepts a valid event in both spellings, with unlisted properties, and without the optional ones', () => {
    const required = Object.entries(valid).filter(([name]) => event.properties[name]?.required)
    expect(check(kind, valid)).toEqual([])
    expect(check(kind, validProperties(event, 'camel'))).toEqual([])
    expect(check(kind, { ...valid, unlisted: time(0), $url: int(1n) })).toEqual([])
    expect(check(kind, Object.fromEntries(required))).toEqual([])
  })

  test('names each violated rule, in both spellings', () => {
    const cases = Object.entries(event.properties).flatMap(([name, rule]) =>
      propertySpellings(name).flatMap((spelling) =>
        invalidValues(rule).map(([value, broken]) => ({ spelling, value, broken })),
      ),
    )
    const answers = cases.map(({ spelling, value }) => check(kind, { ...valid, [spelling]: value }))
    expect(answers).toEqual(cases.map(({ spelling, broken }) => [`${spelling} ${broken}`]))
  })

  test('names each required property that is missing', () => {
    const required = Object.keys(event.properties).filter((name) => event.properties[name]?.required)
    expect(check(kind, {})).toEqual(required.map((name) => `${name} required`))
  })
})

test('a kind outside the catalogue, or without properties, has no rules', () => {
  const kinds = ['my_event', 'page_view', 'app_open', '', '__proto__', 'constructor', 'purchase']
  expect(kinds.map(hasTypedEventRules)).toEqual([false, false, false, false, false, false, true])
  expect(check('my_event', { amount: text('free') })).toEqual([])
})

test('both spellings of a property are checked when both are sent', () => {
  const both = { order_id: text('1'), orderId: int(1n), amount: double(-1) }
  expect(check('order_refunded', both)).toEqual(['orderId type', 'amount gt'])
})

test.each([
  ['a whole number is a number', 'purchase', { amount: int(10n) }, []],
  ['the smallest number above the bound', 'purchase', { amount: double(Number.MIN_VALUE) }, []],
  ['the bounds of int32', 'click', { x: int(-(2n ** 31n)), y: int(2n ** 31n - 1n) }, []],
  ['the bounds of int64', 'export_completed', { export_id: text('e'), size_bytes: int(2n ** 63n - 1n) }, []],
  ['inclusive bounds', 'scroll', { percent: int(100n), scroll_y: int(0n) }, []],
  ['a duration as text', 'video_play', { video_id: text('v'), position: text('0.000000001s') }, []],
  ['a duration as a number', 'video_play', { video_id: text('v'), position: double(1.5) }, []],
  ['a duration as an integer', 'video_play', { video_id: text('v'), position: int(3n) }, []],
  ['a negative duration', 'video_play', { video_id: text('v'), position: text('-1s') }, ['position gte']],
  [
    'ten fractional digits',
    'video_play',
    { video_id: text('v'), position: text('0.0000000001s') },
    ['position type'],
  ],
  ['a currency of four letters', 'purchase', { currency: text('EURO') }, ['currency pattern']],
  ['a currency with a line end', 'purchase', { currency: text('EUR\n') }, ['currency pattern']],
  ['an empty optional text', 'mfa_enabled', { method: text('') }, []],
] satisfies [string, string, Properties, string[]][])('%s', (_, kind, properties, violations) => {
  expect(check(kind, properties)).toEqual(violations)
})

test('no value makes the check throw', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }).map(text),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(int),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(double),
    fc.boolean().map(bool),
    fc.integer().map(time),
  )
  fc.assert(
    fc.property(fc.constantFrom(...WELL_KNOWN_EVENTS), value, (event, any) => {
      const properties = Object.fromEntries(Object.keys(event.properties).map((name) => [name, any]))
      const violations = checkTypedEvent(event.kind, new Map(Object.entries(properties)))
      expect(violations.length).toBeLessThanOrEqual(Object.keys(properties).length)
    }),
  )
})
