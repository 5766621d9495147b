import { matchNames } from '../ui/match-names.ts'
import type { Category, Entry, EntryKind } from './entries.ts'
import { keyOfEntry } from './entries.ts'

/** An entry that matches a text, with the part of its label that does. */
export interface Found {
  readonly entry: Entry
  readonly from: number
  readonly to: number
}

/** The matches under one heading; `hiddenCount` more are shown in their own category. */
export interface FoundGroup {
  readonly kind: Category
  readonly found: readonly Found[]
  readonly hiddenCount: number
}

/** Rows of a group beside others, and of one that is alone: more are found by typing. */
const BESIDE_OTHERS_MAX = 25
const ALONE_MAX = 200

/** The entries that match a text by their shown name, then those that match by the name as sent. */
export function searchEntries(entries: readonly Entry[], typed: string): readonly Found[] {
  const byLabel = matchNames(entries, typed)
  const known = new Set(byLabel.map(({ entry }) => entry))
  const sent = entries.flatMap((entry) =>
    known.has(entry) || entry.sentName === undefined
      ? []
      : [{ label: entry.sentName, count: entry.count, entry }],
  )
  return [...byLabel, ...matchNames(sent, typed).map(({ entry: { entry } }) => ({ entry, from: 0, to: 0 }))]
}

/** The matches in recently chosen entries, latest first. */
export function findRecent(found: readonly Found[], recent: readonly string[]): readonly Found[] {
  const byKey = new Map(found.map((one) => [keyOfEntry(one.entry), one]))
  return recent.flatMap((key) => byKey.get(key) ?? [])
}

/** The number of matches in each category. */
export function countByCategory(
  found: readonly Found[],
  recent: readonly Found[],
): Readonly<Record<Category, number>> {
  const counts = {
    all: found.length,
    recent: recent.length,
    event: 0,
    goal: 0,
    property: 0,
    person: 0,
    page: 0,
    visitStart: 0,
    firstTouch: 0,
  }
  for (const { entry } of found) counts[entry.kind] += 1
  return counts
}

/** The matches of a category under their headings, in the order of the kinds. */
export function groupFound(
  { found, recent }: { readonly found: readonly Found[]; readonly recent: readonly Found[] },
  category: Category,
  kinds: readonly EntryKind[],
): readonly FoundGroup[] {
  if (category === 'recent') return groupsOf([{ kind: 'recent', found: recent }], ALONE_MAX)
  const shown = category === 'all' ? kinds : [category]
  const groups = shown.map((kind) => ({ kind, found: found.filter(({ entry }) => entry.kind === kind) }))
  const filled = groups.filter((group) => group.found.length > 0)
  return groupsOf(filled, filled.length > 1 ? BESIDE_OTHERS_MAX : ALONE_MAX)
}

function groupsOf(
  groups: readonly { readonly kind: Category; readonly found: readonly Found[] }[],
  countMax: number,
): readonly FoundGroup[] {
  return groups
    .filter(({ found }) => found.length > 0)
    .map(({ kind, found }) => ({
      kind,
      found: found.slice(0, countMax),
      hiddenCount: Math.max(0, found.length - countMax),
    }))
}

/** The category that Tab leads to: the next with a match, in a circle. */
export function nextCategory(
  categories: readonly Category[],
  counts: Readonly<Record<Category, number>>,
  { from, by }: { readonly from: Category; readonly by: 1 | -1 },
): Category {
  const filled = categories.filter((category) => category === from || counts[category] > 0)
  const at = filled.indexOf(from)
  return filled[(at + by + filled.length) % filled.length] ?? from
}
