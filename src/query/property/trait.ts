import type { ProjectId } from '../../contract/ids.ts'
import type { TraitProperty } from '../../domain/insights/property.ts'
import { TRAIT_RECEIVED_TEXT } from '../../store/clickhouse/migrations/014-trait-operations.ts'
import { stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { join, param, Sql, sql } from '../sql/sql.ts'
import { type JsonValueSql, jsonValue } from './value-sql.ts'

/** The receive time in microseconds of a row of `traits`, or of another table with such versions. */
export const TRAIT_RECEIVED: Sql = Sql.of([TRAIT_RECEIVED_TEXT], [])

/** `FROM traits WHERE ...`, extended with `AND`: one row for each trait of a user that is not removed. */
export function currentTraits(projectId: ProjectId): Sql {
  return sql`${scopedTable('traits', projectId)} AND value != ''`
}

/** A condition on the value of a trait. */
export type TraitPredicate = (value: Pick<JsonValueSql, 'text' | 'number'>) => Sql

/** The users (as hashes) who have the trait with a matching value. */
export function usersWithTrait(property: TraitProperty, projectId: ProjectId, matches: TraitPredicate): Sql {
  const { value, from } = readTrait(property, projectId)
  return sql`SELECT user_hash ${from} AND ${matches(value)}`
}

/** `SELECT user_hash, text`: the values of a trait, one row for each user who has it; null reads as the empty text. */
export function traitTexts(property: TraitProperty, projectId: ProjectId): Sql {
  const { value, from } = readTrait(property, projectId)
  return sql`SELECT user_hash, ${value.text} AS text ${from}`
}

interface TraitReading {
  readonly value: Pick<JsonValueSql, 'text' | 'number'>
  /** `FROM ... WHERE ...`, extended with `AND`: one row per user. */
  readonly from: Sql
}

function readTrait(property: TraitProperty, projectId: ProjectId): TraitReading {
  const keys = [property.key, ...property.nested.map(({ key }) => key)]
  const traits = sql`${currentTraits(projectId)} AND key IN ${param(stringArrayCodec, keys)}`
  if (property.nested.length === 0) return { value: jsonValue(sql`value`, []), from: traits }
  const held = sql`SELECT user_hash, mapFromArrays(groupArray(key), groupArray(value)) AS held ${traits} GROUP BY user_hash`
  return { value: nestedValue(property), from: sql`FROM (${held}) WHERE 1` }
}

/** The flat key if the user has it, else the first nested location that has a value. */
function nestedValue({ key, nested }: TraitProperty): Pick<JsonValueSql, 'text' | 'number'> {
  const name = param(stringCodec, key)
  const flat = jsonValue(sql`held[${name}]`, [])
  const locations = nested.map((location) => jsonValue(heldJson(location.key), location.path))
  const choose = (part: (value: JsonValueSql) => Sql, missing: Sql): Sql => {
    const branches = locations.map((location) => sql`${location.exists}, ${part(location)}`)
    return sql`multiIf(mapContains(held, ${name}), ${part(flat)}, ${join(branches, sql`, `)}, ${missing})`
  }
  return { text: choose(({ text }) => text, sql`''`), number: choose(({ number }) => number, sql`NULL`) }
}

/** The trait as JSON; a string trait is parsed as JSON text. */
function heldJson(key: string): Sql {
  const held = sql`held[${param(stringCodec, key)}]`
  return sql`if(JSONType(${held}) = 'String', JSONExtractString(${held}), ${held})`
}
