import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import { NO_DEFINITION } from './definition.ts'
import type { StoredDefinition } from './definition-store.ts'
import { type CountedName, NAMES_MAX, type SeenName } from './names-sql.ts'

/** A name with all that is known about it. */
export interface ListedName {
  readonly name: string
  readonly definition: StoredDefinition
  /** Absent when no event has arrived. */
  readonly seen: SeenName | undefined
  readonly recentCount: bigint
}

/** The names of a list; every condition must hold. */
export interface NameConditions {
  /** Empty means any. */
  readonly search: string
  /** Empty means every state. */
  readonly states: readonly StoredDefinition['state'][]
  readonly newSinceMs: number | undefined
  /** Empty means any. */
  readonly tag: string
}

/** What a list is made of. */
export interface NameParts {
  readonly seen: readonly SeenName[]
  readonly counts: readonly CountedName[]
  readonly definitions: ReadonlyMap<string, StoredDefinition>
  /** Further names to list. */
  readonly others?: readonly string[]
}

const NOBODY = { ...NO_DEFINITION, updatedBy: '', updatedMs: 0 }

/** The names that were seen, defined or otherwise known, those with the most recent events first. */
export function joinNames({ seen, counts, definitions, others = [] }: NameParts): readonly ListedName[] {
  const seenOf = new Map(seen.map((one) => [one.name, one]))
  const countOf = new Map(counts.map(({ name, count }) => [name, count]))
  const names = new Set([...seenOf.keys(), ...definitions.keys(), ...others])
  return [...names]
    .map((name) => ({
      name,
      definition: definitions.get(name) ?? NOBODY,
      seen: seenOf.get(name),
      recentCount: countOf.get(name) ?? 0n,
    }))
    .sort(byCount)
}

/** Whether the names end at the limit, so that the project may have more. */
export function isTruncated(names: readonly ListedName[]): boolean {
  return names.filter(({ seen }) => seen).length >= NAMES_MAX
}

/** The names that meet the conditions, in the same order. */
export function selectNames(
  names: readonly ListedName[],
  { search, states, newSinceMs, tag }: NameConditions,
): readonly ListedName[] {
  const sought = search.toLowerCase()
  return names.filter(({ name, definition, seen }) => {
    const { displayName, description, owner, state, tags } = definition
    if (states.length > 0 && !states.includes(state)) return false
    if (tag !== '' && !tags.includes(tag)) return false
    if (newSinceMs !== undefined && !(seen && seen.firstMs >= newSinceMs)) return false
    return [name, displayName, description, owner].some((text) => text.toLowerCase().includes(sought))
  })
}

/** A part of a list, and the token of the next part; empty on the last one. */
export interface NamePage {
  readonly page: readonly ListedName[]
  readonly nextPageToken: string
}

/** One page; the counts may have changed since the previous one. Throws `invalid_argument` for another list's token. */
export function pageOf(
  names: readonly ListedName[],
  { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string },
): NamePage {
  const after = parsePosition(pageToken)
  const rest = after ? names.filter((name) => byCount(name, after) > 0) : names
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  const isLast = rest.length <= pageSize || !last
  return { page, nextPageToken: isLast ? '' : encodePageToken([String(last.recentCount), last.name]) }
}

type Position = Pick<ListedName, 'name' | 'recentCount'>

function parsePosition(token: string): Position | undefined {
  if (token === '') return undefined
  const [count, name, ...rest] = decodePageToken(token)
  const isCount = typeof count === 'string' && /^\d{1,19}$/.test(count)
  if (!isCount || typeof name !== 'string' || rest.length > 0) throw invalidPageToken()
  return { recentCount: BigInt(count), name }
}

function byCount(a: Position, b: Position): number {
  if (a.recentCount !== b.recentCount) return a.recentCount > b.recentCount ? -1 : 1
  if (a.name === b.name) return 0
  return a.name < b.name ? -1 : 1
}
