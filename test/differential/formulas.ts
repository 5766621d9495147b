import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Formula } from '../../src/contract/gen/millrace/insights/v1/formula_pb.js'
import type { TrendSeriesSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { type Entry, eventsOfBuckets, eventsOfEntry, listEntries } from './entries.ts'
import type { Spec } from './insight-type.ts'
import { measureEvents } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import { bucketsOf, type Query } from './query.ts'
import { type BrokenDown, breakDown } from './ranking.ts'

type SeriesInit = Exclude<MessageInitShape<typeof TrendSeriesSchema>, { $typeName: string }>

/** An event that a named entry counts. */
export interface Counted {
  readonly entry: number
  readonly event: ReferenceEvent
}

/** The series of a formula: the values of all entries that it names, ranked by the formula over the range. */
export function breakDownFormula(query: Query, formula: Formula): readonly BrokenDown<Counted>[] {
  const measure = (counted: readonly Counted[]): number =>
    evaluate(formula, (entry) => measureEntry(query, entry, eventsOf(counted, entry))) ?? 0
  return breakDown(countedBy(query, formula), query, { eventOf: ({ event }) => event, measure })
}

/** The events that each entry of a formula counts. */
export function countedBy(query: Query, formula: Formula): readonly Counted[] {
  const entries = listEntries(query)
  return namesIn(formula).flatMap((entry) =>
    eventsOfEntry(query, entries[entry] as Entry).map((event): Counted => ({ entry, event })),
  )
}

/** The events that the point of a bucket is computed from, by entry. */
export function eventsOfPoints(
  query: Query,
  formula: Formula,
): (group: BrokenDown<Counted>) => (entry: number, bucket: number) => readonly ReferenceEvent[] {
  const entries = listEntries(query)
  const named = namesIn(formula).map(
    (entry) => [entry, eventsOfBuckets(query, entries[entry] as Entry)] as const,
  )
  return ({ keys, items }) => {
    const byEntry = new Map(
      named.map(([entry, eventsOfGroup]) => [entry, eventsOfGroup({ keys, items: eventsOf(items, entry) })]),
    )
    return (entry, bucket) => byEntry.get(entry)?.(bucket) ?? []
  }
}

/** The series of a formula with their points. */
export function shapeFormula(
  query: Query,
  line: { readonly formula: Formula; readonly groups: readonly BrokenDown<Counted>[] },
): readonly SeriesInit[] {
  const { formula, groups } = line
  const eventsOfGroup = eventsOfPoints(query, formula)
  return groups.map((group) => {
    const eventsAt = eventsOfGroup(group)
    return {
      eventKind: '',
      formula: formula.expression,
      label: formula.displayName,
      breakdown: group.breakdown,
      points: bucketsOf(query).map((start, bucket) => {
        const value = evaluate(formula, (entry) => measureEntry(query, entry, eventsAt(entry, bucket)))
        return { time: timestampFromMs(start), value: value ?? 0, isUndefined: value === undefined }
      }),
    }
  })
}

/** The events without repetition. */
export function distinct(events: readonly ReferenceEvent[]): readonly ReferenceEvent[] {
  return [...new Set(events)]
}

/** The entries that a formula names, ascending. */
export function namesIn({ expression }: Formula): readonly number[] {
  const letters = new Set(expression.match(/[A-Z]/g) ?? [])
  return [...letters].sort().map((letter) => letter.charCodeAt(0) - 65)
}

function eventsOf(counted: readonly Counted[], entry: number): readonly ReferenceEvent[] {
  return counted.filter((each) => each.entry === entry).map(({ event }) => event)
}

function measureEntry(query: Query, entry: number, events: readonly ReferenceEvent[]): number {
  const { metric } = listEntries(query)[entry] as Entry
  return measureEvents(events, { metric, people: query.world.people })
}

const PRECEDENCE: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, minus: 3 }

const OPERATIONS: Readonly<Record<string, (...operands: number[]) => number>> = {
  '+': (left = 0, right = 0) => left + right,
  '-': (left = 0, right = 0) => left - right,
  '*': (left = 0, right = 0) => left * right,
  '/': (left = 0, right = 0) => left / right,
  minus: (operand = 0) => -operand,
  min: (left = 0, right = 0) => Math.min(left, right),
  max: (left = 0, right = 0) => Math.max(left, right),
  abs: (operand = 0) => Math.abs(operand),
}

/** The value of a formula, or undefined if anything in it is not finite; by two stacks, as on paper. */
export function evaluate(
  { expression }: Pick<Formula, 'expression'>,
  valueFor: (entry: number) => number,
): number | undefined {
  const values: number[] = []
  const waiting: string[] = []
  let isDefined = true
  const push = (value: number): void => {
    isDefined &&= Number.isFinite(value)
    values.push(value)
  }
  const apply = (): void => {
    const name = waiting.pop() ?? ''
    const operation = OPERATIONS[name]
    const operands = name === 'abs' || name === 'minus' ? 1 : 2
    if (operation) push(operation(...values.splice(-operands)))
  }
  let isOperandNext = true
  for (const token of expression.match(/[0-9.]+|[a-z]+|\S/g) ?? []) {
    if (/^[0-9]/.test(token)) push(Number(token))
    else if (/^[A-Z]$/.test(token)) push(valueFor(token.charCodeAt(0) - 65))
    else if (token === '(' || /^[a-z]/.test(token)) waiting.push(token)
    else if (token === ')' || token === ',') {
      while (waiting.at(-1) !== '(') apply()
      if (token === ')') {
        waiting.pop()
        if (/^(min|max|abs)$/.test(waiting.at(-1) ?? '')) apply()
      }
    } else if (isOperandNext) waiting.push('minus')
    else {
      while ((PRECEDENCE[waiting.at(-1) ?? ''] ?? 0) >= (PRECEDENCE[token] ?? 0)) apply()
      waiting.push(token)
    }
    isOperandNext = !/^[0-9A-Z)]/.test(token)
  }
  while (waiting.length > 0) apply()
  return isDefined ? (values[0] ?? 0) + 0 : undefined
}

/** Formulas over the entries of a query; none without entries. */
export function generateFormulas(rng: Prng, entries: number): Pick<Spec, 'formulas'> {
  if (entries === 0 || rng.chance(0.4)) return {}
  return {
    formulas: Array.from({ length: 1 + rng.below(2) }, () => ({
      expression: generateExpression(rng, { entries, depth: 3 }),
      displayName: rng.pick(['', 'Rate']),
    })),
  }
}

function generateExpression(
  rng: Prng,
  { entries, depth }: { readonly entries: number; readonly depth: number },
): string {
  const inner = (): string => generateExpression(rng, { entries, depth: depth - 1 })
  if (depth === 0 || rng.chance(0.25)) {
    const letter = String.fromCharCode(65 + rng.below(entries))
    return rng.chance(0.8) ? letter : rng.pick(['0', '1', '2.5', '100', '0.125'])
  }
  switch (rng.below(8)) {
    case 0:
      return `(${inner()})`
    case 1:
      return `-${inner()}`
    case 2:
      return `${rng.pick(['min', 'max'])}(${inner()}, ${inner()})`
    case 3:
      return `abs( ${inner()})`
    default:
      return `${inner()}${rng.pick([' + ', ' - ', '*', ' / ', '/'])}${inner()}`
  }
}
