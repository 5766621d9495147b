import type { FirstOf, FirstProperty, Property, TraitProperty } from '../../domain/insights/property.ts'
import { unreachable } from '../../kernel/assert.ts'
import { eventPropertyText } from '../property/event-property.ts'
import { traitTexts } from '../property/trait.ts'
import { join, numbered, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'
import { FIRST_KEYS, historyOf, type RowScope, valueAtFirst } from './first-events.ts'

/**
 * The text of each property on a row of `events`, to which {@link joinTexts} of the same properties is joined; a missing
 * value is the empty text.
 */
export function propertyTexts(properties: readonly Property[]): readonly Sql[] {
  return properties.map((property, index) => {
    switch (property.home) {
      case 'column':
      case 'maps':
        return eventPropertyText(property)
      case 'trait':
      case 'first':
        return numbered('joined', index)
      default:
        return unreachable(property)
    }
  })
}

/**
 * ` LEFT ANY JOIN ...` of the values that the row's event does not have itself: one for the first events of sessions, one for
 * those of users, and one for each trait. Empty when the event has all of them.
 */
export function joinTexts(properties: readonly Property[], rows: RowScope): Sql {
  const indexed = [...properties.entries()]
  const firsts = indexed.filter((entry): entry is [number, FirstProperty] => entry[1].home === 'first')
  const traits = indexed.filter((entry): entry is [number, TraitProperty] => entry[1].home === 'trait')
  const joins = [
    ...[...Map.groupBy(firsts, ([, { of }]) => of)].map(([of, wanted]) => joinFirsts(of, wanted, rows)),
    ...traits.map(([index, trait]) => joinTrait(index, trait, rows)),
  ]
  return join(joins, sql``)
}

function joinFirsts(of: FirstOf, wanted: readonly [number, FirstProperty][], rows: RowScope): Sql {
  const name = of === 'session' ? sql`entry_session` : sql`touched_user`
  const texts = wanted.map(
    ([index, { property }]) =>
      sql`${valueAtFirst(eventPropertyText(property))} AS ${numbered('joined', index)}`,
  )
  const firsts = sql`SELECT ${FIRST_KEYS[of]} AS ${name}, ${join(texts, sql`, `)} ${historyOf(of, rows)} GROUP BY ${name}`
  const table = of === 'session' ? sql`entries` : sql`touches`
  return sql` LEFT ANY JOIN (${firsts}) AS ${table} ON ${FIRST_KEYS[of]} = ${name}`
}

function joinTrait(index: number, trait: TraitProperty, { projectId }: RowScope): Sql {
  const [user, text] = [numbered('trait_user', index), numbered('joined', index)]
  const texts = sql`SELECT user_hash AS ${user}, text AS ${text} FROM (${traitTexts(trait, projectId)})`
  return sql` LEFT ANY JOIN (${texts}) AS ${numbered('traits', index)} ON ${USER_KEY} = ${user}`
}
