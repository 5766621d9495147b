import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import type { PathRule } from '../../../domain/insights/user-flow-path.ts'
import { eventPropertyText } from '../../property/event-property.ts'
import { int64Codec, stringCodec } from '../../sql/codec.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'

/** The lowest 60 bits. */
export const LABEL_MASK: Sql = sql`1152921504606846975`

/**
 * In front of a pattern without syntax: the engine would take such a one, and its replacement, as plain texts. In front of others it
 * would only hide from the engine how a match begins.
 */
const NO_TEXT = '(?:)'
const HAS_SYNTAX = /[\\^$.[(|*+?]/

/** Whether the row's event has a value: without one it has no node, even where a rule would make one of it. */
export function hasValue(query: UserFlowQuery): Sql {
  return sql`${valueSql(query)} != ''`
}

/**
 * The list of a column over the events of a group that have a node: rules may leave nothing of a value. Where the rows are chosen, the
 * engine would apply the rules twice.
 */
export function listNodes(query: UserFlowQuery, column: Sql): Sql {
  return query.rules.length === 0
    ? sql`groupArray(${column})`
    : sql`groupArrayIf(${column}, ${nodeSql(query)} != '')`
}

/** The value of the node of the row's event, after the rules, which rewrite each of the different values of a block once. */
export function nodeSql(query: UserFlowQuery): Sql {
  const value = valueSql(query)
  return query.rules.length === 0 ? value : applyRules(query, sql`toLowCardinality(${value})`)
}

/** The value of the row's event before the rules; empty without one. */
export function valueSql({ node }: UserFlowQuery): Sql {
  return node.by === 'kind' ? sql`kind` : eventPropertyText(node.property)
}

/** A value after the rules. */
export function applyRules({ rules }: UserFlowQuery, value: Sql): Sql {
  return rules.reduce(rewriteSql, value)
}

function rewriteSql(text: Sql, { pattern, replacement, inserted }: PathRule): Sql {
  const searched = HAS_SYNTAX.test(pattern) ? pattern : `${NO_TEXT}${pattern}`
  const rewritten = sql`replaceRegexpAll(${text}, ${param(stringCodec, searched)}, ${param(stringCodec, replacement)})`
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

/** The label of the row's event as a 60-bit number. */
export function labelSql(query: UserFlowQuery): Sql {
  return hashOf(nodeSql(query))
}

/** The hash of a label as the paths have it. */
export function labelHash(label: string): Sql {
  return hashOf(sql`${param(stringCodec, label)}`)
}

/** A label's text as a 60-bit number. */
export function hashOf(text: Sql): Sql {
  return sql`bitShiftRight(sipHash64(${text}), 4)`
}
