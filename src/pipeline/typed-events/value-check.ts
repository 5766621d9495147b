import {
  type PropertyRule,
  RULE_TYPES,
  type RuleType,
} from '../../contract/well-known-events/property-rules.ts'
import type { PropertyValue } from '../event/event.ts'

/** The rules that an event of a well-known kind can violate; few, because they are label values of a metric. */
export type TypedEventRule = 'required' | 'type' | 'gt' | 'gte' | 'lte' | 'pattern'

/** The reason why a value is invalid. */
export interface Fault {
  readonly rule: TypedEventRule
  /** A sentence without its subject, which is the name of the property. */
  readonly message: string
}

/** Returns why a value is invalid, or `undefined` when it is valid. */
export type ValueCheck = (value: PropertyValue) => Fault | undefined

type Comparable = number | bigint

const INT32_MIN = -(2n ** 31n)
const INT32_MAX = 2n ** 31n - 1n

/** proto JSON: a duration has at most nine fractional digits, and lies within ten thousand years. */
const DURATION = /^-?\d{1,12}(?:\.\d{1,9})?s$/
const DURATION_SECONDS_MAX = 315_576_000_000

/** Returns the value in the type of its rule, or `undefined` when it has another type. */
const READERS = {
  string: (value) => (value.type === 'string' ? value.value : undefined),
  int32: (value) =>
    value.type === 'int' && value.value >= INT32_MIN && value.value <= INT32_MAX ? value.value : undefined,
  int64: (value) => (value.type === 'int' ? value.value : undefined),
  // Clients whose language has one number type cannot tell 10 from 10.0.
  double: (value) => (value.type === 'double' || value.type === 'int' ? value.value : undefined),
  bool: (value) => (value.type === 'bool' ? value.value : undefined),
  duration: readDuration,
} as const satisfies Record<RuleType, (value: PropertyValue) => string | boolean | Comparable | undefined>

/** Compiles a rule into a check of present values. */
export function compileValueCheck(rule: PropertyRule): ValueCheck {
  const read = READERS[rule.type]
  const wrongType: Fault = { rule: 'type', message: `must be ${RULE_TYPES[rule.type].is}` }
  const missing: Fault | undefined = rule.required && MISSING
  const checkText = compilePattern(rule)
  const checkNumber = compileBounds(rule)
  return (value) => {
    const typed = read(value)
    if (typed === undefined) return wrongType
    if (typeof typed === 'boolean') return undefined
    if (typeof typed !== 'string') return checkNumber(typed)
    return typed === '' && missing !== undefined ? missing : checkText(typed)
  }
}

/** The fault of a missing required property. */
export const MISSING: Fault = { rule: 'required', message: 'is required' }

function compilePattern({ pattern }: PropertyRule): (text: string) => Fault | undefined {
  if (pattern === undefined) return () => undefined
  const regExp = new RegExp(pattern, 'u')
  const fault: Fault = { rule: 'pattern', message: `must match ${pattern}` }
  return (text) => (regExp.test(text) ? undefined : fault)
}

function compileBounds({ type, gt, gte, lte }: PropertyRule): (number: Comparable) => Fault | undefined {
  const unit = type === 'duration' ? 's' : ''
  const low = gt ?? gte ?? -Infinity
  const high = lte ?? Infinity
  const isOpen = gt !== undefined
  const tooLow: Fault = isOpen
    ? { rule: 'gt', message: `must be greater than ${low}${unit}` }
    : { rule: 'gte', message: `must be at least ${low}${unit}` }
  const tooHigh: Fault = { rule: 'lte', message: `must be at most ${high}${unit}` }
  return (number) => {
    if (number < low || (isOpen && number <= low)) return tooLow
    return number > high ? tooHigh : undefined
  }
}

function readDuration(value: PropertyValue): number | undefined {
  const seconds = durationSeconds(value)
  return seconds !== undefined && Math.abs(seconds) <= DURATION_SECONDS_MAX ? seconds : undefined
}

function durationSeconds(value: PropertyValue): number | undefined {
  if (value.type === 'double' || value.type === 'int') return Number(value.value)
  if (value.type !== 'string' || !DURATION.test(value.value)) return undefined
  return Number(value.value.slice(0, -1))
}
