import type { Breakdown } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { compareListsBytewise } from './bytewise.ts'
import { readSource } from './filters.ts'
import type { ReferenceEvent, ReferenceWorld } from './model.ts'

/** Items with the same values. */
export interface Group<Item> {
  readonly values: readonly string[]
  readonly items: readonly Item[]
}

/** How items form groups, and how these are ranked. */
export interface Ranking<Item> {
  readonly valuesOf: (item: Item) => readonly string[]
  readonly measure: (items: readonly Item[]) => number
  /** Number of groups that keep their own name. */
  readonly limit: number
}

/** Groups by measure descending, ties by values ascending; `rest` holds the items of those beyond the limit. */
export function rankGroups<Item>(
  items: readonly Item[],
  { valuesOf, measure, limit }: Ranking<Item>,
): { readonly top: readonly Group<Item>[]; readonly rest: readonly Item[] } {
  const groups = groupBy(items, valuesOf)
    .map((group) => ({ ...group, rank: measure(group.items) }))
    .sort((left, right) => right.rank - left.rank || compareListsBytewise(left.values, right.values))
  return { top: groups.slice(0, limit), rest: groups.slice(limit).flatMap((group) => group.items) }
}

/** The name of the rest in answers. */
export const OTHERS = '$others'

/** One series of a query with breakdowns. */
export interface BrokenDown<Item> {
  readonly breakdown: Record<string, string>
  /** Whether it is the rest; a real value may have the same name. */
  readonly isOthers: boolean
  /** Its values, as {@link keyOfEvent} writes them; undefined without breakdowns. */
  readonly keys: ReadonlySet<string> | undefined
  readonly items: readonly Item[]
}

/** The breakdown options of a query, and the world that it is about. */
export interface BreakdownQuery {
  readonly world: ReferenceWorld
  readonly spec: { readonly breakdowns: readonly Breakdown[]; readonly breakdownLimit: number }
}

/** How items are broken down: by the properties of one event of each; an item without one has the empty text. */
export interface BreakdownRule<Item> {
  readonly eventOf: (item: Item) => ReferenceEvent | undefined
  readonly measure: (items: readonly Item[]) => number
}

/** Splits items into the series of a query, `$others` last. Without breakdowns there is always one series. */
export function breakDown<Item>(
  items: readonly Item[],
  { world, spec }: BreakdownQuery,
  { eventOf, measure }: BreakdownRule<Item>,
): readonly BrokenDown<Item>[] {
  const { breakdowns, breakdownLimit } = spec
  if (breakdowns.length === 0) return [{ breakdown: {}, isOthers: false, keys: undefined, items }]
  const names = breakdowns.map(({ property }) => property)
  const valuesOf = (item: Item): readonly string[] => breakdownValues(eventOf(item), { world, spec })
  const { top, rest } = rankGroups(items, { valuesOf, measure, limit: breakdownLimit || 10 })
  const series = top.map((group) => ({
    breakdown: nameValues(names, (index) => group.values[index] ?? ''),
    isOthers: false,
    keys: new Set([JSON.stringify(group.values)]),
    items: group.items,
  }))
  if (rest.length === 0) return series
  const keys = new Set(rest.map((item) => JSON.stringify(valuesOf(item))))
  return [...series, { breakdown: nameValues(names, () => OTHERS), isOthers: true, keys, items: rest }]
}

/** Items of another range in the series of a first one, value by value; the rest is what has none of their values. */
export function regroup<Item>(
  items: readonly Item[],
  { query, eventOf }: { readonly query: BreakdownQuery; readonly eventOf: BreakdownRule<Item>['eventOf'] },
  series: readonly BrokenDown<Item>[],
): readonly BrokenDown<Item>[] {
  if (query.spec.breakdowns.length === 0) return series.map((one) => ({ ...one, items }))
  const keyOf = (item: Item): string => keyOfEvent(eventOf(item), query)
  const named = new Set(series.flatMap(({ isOthers, keys }) => (isOthers ? [] : [...(keys ?? [])])))
  return series.map((one) => {
    if (!one.isOthers) return { ...one, items: items.filter((item) => one.keys?.has(keyOf(item))) }
    const rest = items.filter((item) => !named.has(keyOf(item)))
    return { ...one, items: rest, keys: new Set(rest.map(keyOf)) }
  })
}

/** The values of an event for the breakdowns of a query, as one text. */
export function keyOfEvent(event: ReferenceEvent | undefined, query: BreakdownQuery): string {
  return JSON.stringify(breakdownValues(event, query))
}

/** The values of an event for the breakdowns of a query. */
function breakdownValues(
  event: ReferenceEvent | undefined,
  { world, spec }: BreakdownQuery,
): readonly string[] {
  return spec.breakdowns.map((breakdown) => (event && readSource({ event, world }, breakdown)?.text) ?? '')
}

function nameValues(names: readonly string[], valueAt: (index: number) => string): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, valueAt(index)]))
}

function groupBy<Item>(
  items: readonly Item[],
  valuesOf: (item: Item) => readonly string[],
): readonly Group<Item>[] {
  const byKey = Map.groupBy(items, (item) => JSON.stringify(valuesOf(item)))
  return [...byKey.values()].map((members) => ({
    values: members[0] === undefined ? [] : valuesOf(members[0]),
    items: members,
  }))
}
