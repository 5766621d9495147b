import { decodeKindName } from '../../contract/kind-names.ts'
import type { NameFact, NameFacts } from '../../store/catalog/name-facts.ts'
import type { KeyRow, KindRow } from './compile-schema.ts'

/** A kind as the filter schema has it: with the events of the kinds that count as it. */
export interface ShownKind extends KindRow {
  readonly mergedKinds: readonly string[]
}

/** The kinds to show, most frequent first: merged kinds are part of another, and hidden ones are left out. */
export function showKinds(
  rows: readonly KindRow[],
  { events, mergedKinds }: NameFacts,
): readonly ShownKind[] {
  const intoOf = new Map([...mergedKinds].flatMap(([into, names]) => names.map((name) => [name, into])))
  const shown = new Map<string, ShownKind>()
  for (const row of rows) {
    const name = intoOf.get(row.name) ?? row.name
    if (events.get(name)?.isHidden) continue
    const known = shown.get(name)
    shown.set(name, { ...add(known, row), name, mergedKinds: mergedKinds.get(name) ?? [] })
  }
  return [...shown.values()].sort(byCount)
}

/** The keys to show, in the same order. */
export function showKeys(rows: readonly KeyRow[], { properties }: NameFacts): readonly KeyRow[] {
  return rows.filter(({ name }) => !properties.get(name)?.isHidden)
}

/** What people know about a kind, with the name that it was made from. */
export function describeKind(
  kind: string,
  facts: ReadonlyMap<string, NameFact>,
): Pick<NameFact, 'displayName' | 'description'> {
  const known = describeName(kind, facts)
  const name = decodeKindName(kind)
  return { ...known, displayName: known.displayName || (name === kind ? '' : name) }
}

/** What people know about a name. */
export function describeName(
  name: string,
  facts: ReadonlyMap<string, NameFact>,
): Pick<NameFact, 'displayName' | 'description'> {
  const { displayName = '', description = '' } = facts.get(name) ?? {}
  return { displayName, description }
}

function add(known: KindRow | undefined, row: KindRow): KindRow {
  if (!known) return row
  return {
    ...known,
    count: known.count + row.count,
    recentCount: known.recentCount + row.recentCount,
    firstMs: Math.min(known.firstMs, row.firstMs),
    lastMs: Math.max(known.lastMs, row.lastMs),
  }
}

function byCount(a: ShownKind, b: ShownKind): number {
  if (a.count !== b.count) return a.count > b.count ? -1 : 1
  return a.name < b.name ? -1 : 1
}
