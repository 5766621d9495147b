import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import type { PathRule } from '../../../domain/insights/user-flow-path.ts'
import { eventPropertyText } from '../../property/event-property.ts'
import { int64Codec, stringCodec } from '../../sql/codec.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'

/** The lowest 60 bits. */
export const LABEL_MASK: Sql = sql`1152921504606846975`

/** In front of a pattern without syntax: the engine would take such a one, and its replacement, as plain texts. */
const NO_TEXT = '(?:)'

/** Whether the row's event has a node: rules leave some of its value, but give none to an event without one. */
export function hasNode(query: UserFlowQuery): Sql {
  const isLeft = sql`${nodeSql(query)} != ''`
  const hasValue = query.rules.length === 0 || query.node.by === 'kind'
  return hasValue ? isLeft : sql`${valueSql(query)} != '' AND ${isLeft}`
}

/** The value of the node of the row's event, after the rules, which rewrite each of the different values of a block once. */
export function nodeSql(query: UserFlowQuery): Sql {
  const value = valueSql(query)
  if (query.rules.length === 0) return value
  return query.rules.reduce(rewriteSql, sql`toLowCardinality(${value})`)
}

function valueSql({ node }: UserFlowQuery): Sql {
  return node.by === 'kind' ? sql`kind` : eventPropertyText(node.property)
}

function rewriteSql(text: Sql, { pattern, replacement, inserted }: PathRule): Sql {
  const rewritten = sql`replaceRegexpAll(${text}, ${param(stringCodec, `${NO_TEXT}${pattern}`)}, ${param(stringCodec, replacement)})`
  return inserted === '' ? rewritten : mendSql(rewritten, inserted)
}

/**
 * The text without what was inserted inside of characters. After an empty match the engine goes on at the next byte, where an
 * empty text matches again. No other byte that continues a character follows an inserted text.
 */
function mendSql(text: Sql, inserted: string): Sql {
  const glue = param(stringCodec, inserted)
  const parts = sql`arrayMap(part -> if(bitAnd(ascii(part), 192) = 128, part, concat(${glue}, part)), splitByString(${glue}, ${text}))`
  return sql`substring(arrayStringConcat(${parts}), ${param(int64Codec, Buffer.byteLength(inserted) + 1)})`
}

/** A label as a 60-bit number. */
export function labelSql(query: UserFlowQuery): Sql {
  return hashOf(nodeSql(query))
}

/** The hash of a label as the paths have it. */
export function labelHash(label: string): Sql {
  return hashOf(sql`${param(stringCodec, label)}`)
}

function hashOf(text: Sql): Sql {
  return sql`bitShiftRight(sipHash64(${text}), 4)`
}
