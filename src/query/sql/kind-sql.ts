import { type EventMatch, kindsOfMatch } from '../../domain/insights/parse-filters.ts'
import { stringArrayCodec, stringCodec } from './codec.ts'
import { param, type Sql, sql } from './sql.ts'

/** The part of a match that is about the kind. */
type KindMatch = Pick<EventMatch, 'kind' | 'merged'>

/** The union of the kinds that the matches need; `undefined` when one matches every kind. */
export function unionOfKinds(matches: readonly KindMatch[]): readonly string[] | undefined {
  const kinds = new Set<string>()
  for (const match of matches) {
    const own = kindsOfMatch(match)
    if (!own) return undefined
    for (const kind of own) kinds.add(kind)
  }
  return [...kinds]
}

/** The condition that the row's event is of a kind of the match; none when every kind matches. */
export function kindConditions(match: KindMatch): readonly Sql[] {
  const kinds = kindsOfMatch(match)
  if (!kinds) return []
  const [only, ...others] = kinds
  return only !== undefined && others.length === 0
    ? [sql`kind = ${param(stringCodec, only)}`]
    : [sql`kind IN ${param(stringArrayCodec, kinds)}`]
}
