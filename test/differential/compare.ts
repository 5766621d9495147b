import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { INSIGHT_TYPE_ENTRIES } from './insight-types.ts'

// Sums depend on the order of their terms, and a mean may be taken in several ways.
const RELATIVE_TOLERANCE = 1e-9
const ABSOLUTE_TOLERANCE = 1e-12
const DURATION_TOLERANCE_NANOS = 1000n
const DIFFERENCES_MAX = 20

/** Two answers to the same request. */
export interface Answers {
  readonly expected: QueryResponse
  readonly actual: QueryResponse
}

/** Two values at the same place of two answers. */
interface Pair {
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

/**
 * Differences as `path: expected X, got Y`, at most 20; none when the answers are equal. Texts, structure, order and
 * whole numbers are exact, doubles within 1e-9, durations within a microsecond. Nodes of a user flow may have any id
 * and any order.
 */
export function compareResponses({ expected, actual }: Answers): readonly string[] {
  return compareValues({ expected: normalise(expected), actual: normalise(actual) })
}

/** The same for two values of any kind. */
export function compareValues({ expected, actual }: Omit<Pair, 'path'>): readonly string[] {
  return diff({ path: '', expected, actual }).slice(0, DIFFERENCES_MAX)
}

function normalise({ result, comparison }: QueryResponse): unknown {
  return { ...normaliseResult(result), ...(comparison && { comparison: normalise(comparison) }) }
}

function normaliseResult(result: QueryResponse['result']): Readonly<Record<string, unknown>> {
  if (result.case === undefined) return {}
  const forms = Object.values(INSIGHT_TYPE_ENTRIES).map((entry) => entry.normalise?.(result))
  return { [result.case]: forms.find((form) => form !== undefined) ?? result.value }
}

function diff(pair: Pair): readonly string[] {
  const { expected, actual } = pair
  if (Array.isArray(expected) && Array.isArray(actual)) return diffLists(pair, { expected, actual })
  if (isDuration(expected) && isDuration(actual)) return differsBy(pair, areNearDurations(expected, actual))
  if (isRecord(expected) && isRecord(actual)) return diffRecords(pair, { expected, actual })
  if (typeof expected === 'number' && typeof actual === 'number') {
    return differsBy(pair, areNear({ expected, actual }))
  }
  return differsBy(pair, Object.is(expected, actual))
}

function diffLists(
  { path }: Pair,
  { expected, actual }: { readonly expected: readonly unknown[]; readonly actual: readonly unknown[] },
): readonly string[] {
  const lengths = { path: `${path}.length`, expected: expected.length, actual: actual.length }
  const shared = expected.slice(0, actual.length)
  return [
    ...diff(lengths),
    ...shared.flatMap((each, index) =>
      diff({ path: `${path}[${index}]`, expected: each, actual: actual[index] }),
    ),
    ...expected
      .slice(actual.length)
      .map((each, index) => `${path}[${actual.length + index}]: missing ${show(each)}`),
    ...actual
      .slice(expected.length)
      .map((each, index) => `${path}[${expected.length + index}]: unexpected ${show(each)}`),
  ]
}

function diffRecords(
  { path }: Pair,
  { expected, actual }: { readonly expected: JsonLike; readonly actual: JsonLike },
): readonly string[] {
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
  return keys.flatMap((key) =>
    diff({ path: path === '' ? key : `${path}.${key}`, expected: expected[key], actual: actual[key] }),
  )
}

type JsonLike = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is JsonLike {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface DurationLike {
  readonly seconds: bigint
  readonly nanos: number
}

function isDuration(value: unknown): value is DurationLike {
  return isRecord(value) && value.$typeName === 'google.protobuf.Duration'
}

function areNearDurations(...[left, right]: readonly [DurationLike, DurationLike]): boolean {
  const difference = nanosOf(left) - nanosOf(right)
  return difference <= DURATION_TOLERANCE_NANOS && -difference <= DURATION_TOLERANCE_NANOS
}

function nanosOf({ seconds, nanos }: DurationLike): bigint {
  return seconds * 1_000_000_000n + BigInt(nanos)
}

function areNear({ expected, actual }: { readonly expected: number; readonly actual: number }): boolean {
  if (expected === actual) return true
  const larger = Math.max(Math.abs(expected), Math.abs(actual))
  return Math.abs(expected - actual) <= Math.max(RELATIVE_TOLERANCE * larger, ABSOLUTE_TOLERANCE)
}

function differsBy({ path, expected, actual }: Pair, isEqual: boolean): readonly string[] {
  return isEqual ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`]
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (key, each: unknown) => {
    if (key === '$typeName') return undefined
    return typeof each === 'bigint' ? `${each}n` : each
  })
  return text === undefined ? 'nothing' : text.slice(0, 300)
}
