import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { eventPropertyText } from '../../property/event-property.ts'
import { int64Codec, stringCodec, uint64Codec } from '../../sql/codec.ts'
import { EVENT_ORDER, shiftLeft256 } from '../../sql/event-order.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { OTHERS } from '../breakdown.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'

/** Sessions that go from one label to another at a depth. The empty label stands for all labels of the rest. */
export interface LinkRow {
  /** Depth of the source, from 0. */
  readonly depth: number
  readonly source: string
  readonly target: string
  readonly value: number
}

/** The lowest 60 bits. */
const LABEL_MASK = sql`1152921504606846975`

/**
 * The links of a query in result order, cut to the limit. Session paths consist of label hashes: texts would double the
 * time and the memory. A session crosses each depth once, so links between labels of the rest can be counted before it
 * is known which labels those are, and summed afterwards; this avoids a second pass over the paths.
 */
export function compileLinks(query: UserFlowQuery, context: InsightContext): CompiledQuery<LinkRow> {
  const ranked = rankedSql(query, context)
  // Groups by source first (with each label's exits and name), then by target.
  const left = sql`SELECT name AS source, tupleElement(exit, 1) AS depth, tupleElement(exit, 2) AS next, tupleElement(exit, 3) AS value FROM (${ranked}) ARRAY JOIN arrayPushBack(exits, (-1, label, 0)) AS exit`
  const entered = sql`SELECT anyIf(source, depth < 0) AS target, groupArrayIf((depth, source, value), depth >= 0) AS entries FROM (${left}) GROUP BY next`
  return select(
    {
      depth: column(int64Codec, sql`toInt64(tupleElement(entry, 1)) AS depth`),
      source: column(stringCodec, sql`tupleElement(entry, 2) AS source`),
      target: column(stringCodec, sql`target`),
      value: column(int64Codec, sql`toInt64(sum(tupleElement(entry, 3))) AS value`),
    },
    sql`FROM (${entered}) ARRAY JOIN entries AS entry GROUP BY depth, source, target ORDER BY value DESC, depth, ${inOrder(sql`source`)}, ${inOrder(sql`target`)} LIMIT ${param(int64Codec, query.linksMax)}`,
  )
}

/** Labels sort by their text; a real label with the text of the rest comes before the rest. */
function inOrder(label: Sql): Sql {
  return sql`if(${label} = '', ${param(stringCodec, OTHERS)}, ${label}), ${label} = ''`
}

/** Every label with its name (empty beyond the rank limit) and its exits as (depth, target label, sessions). */
function rankedSql(query: UserFlowQuery, context: InsightContext): Sql {
  const counted = sql`SELECT label, sumIf(sessions, depth < 0) AS total, groupArrayIf((depth, target, sessions), depth >= 0) AS exits FROM (${crossingsSql(query, context)}) GROUP BY label`
  const node = nodeSql(query)
  const texts = sql`SELECT ${labelSql(query)} AS label, any(${node}) AS text ${eligibleSql(query, context)} GROUP BY label`
  const rank = sql`row_number() OVER (ORDER BY total DESC, text)`
  return sql`SELECT label, if(${rank} <= ${param(int64Codec, query.labelsMax)}, text, '') AS name, exits FROM (${counted}) AS counted ANY INNER JOIN (${texts}) AS texts USING (label)`
}

/**
 * Sessions by (depth, label, target); depth -1 counts the sessions whose path contains the label at all. The grouping
 * key is one 124-bit number (depth + 1, label, target): a key of three columns takes twice as long when paths vary
 * widely.
 */
function crossingsSql(query: UserFlowQuery, context: InsightContext): Sql {
  const link = sql`bitOr(bitShiftLeft(bitOr(bitShiftLeft(toUInt128(hop), 60), toUInt128(label)), 60), toUInt128(target))`
  const links = sql`arrayMap((hop, label, target) -> ${link}, arrayEnumerate(arrayPopFront(path)), arrayPopBack(path), arrayPopFront(path))`
  const labels = sql`arrayMap(label -> bitShiftLeft(toUInt128(label), 60), arrayDistinct(path))`
  const steps = sql`SELECT arrayJoin(arrayConcat(${links}, ${labels})) AS step FROM (${pathsSql(query, context)})`
  const label = sql`bitAnd(toUInt64(bitShiftRight(step, 60)), ${LABEL_MASK})`
  const target = sql`bitAnd(toUInt64(step), ${LABEL_MASK})`
  return sql`SELECT toInt8(bitShiftRight(step, 120)) - 1 AS depth, ${label} AS label, ${target} AS target, count() AS sessions FROM (${steps}) GROUP BY step`
}

/**
 * The path of each session: label hashes in event order, adjacent duplicates collapsed, cut to the maximum length.
 * Order and hash form one number, so each event is a single number to keep and to sort.
 */
function pathsSql(query: UserFlowQuery, context: InsightContext): Sql {
  const labels = labelsOf(sql`arraySort(groupArray(${eventSql(query)}))`)
  return sql`SELECT ${pathOf(query, labels)} AS path ${eligibleSql(query, context)} GROUP BY session_id`
}

/** An event as a number: its order, then its label. */
function eventSql(query: UserFlowQuery): Sql {
  return sql`${shiftLeft256(sql`(${EVENT_ORDER})`, 64)} + ${labelSql(query)}`
}

function labelsOf(events: Sql): Sql {
  return sql`arrayMap(event -> toUInt64(event), ${events})`
}

function pathOf({ hopsMax }: UserFlowQuery, labels: Sql): Sql {
  return sql`arraySlice(arrayCompact(${labels}), 1, ${param(int64Codec, hopsMax + 1)})`
}

/**
 * `SELECT user, distinct_id, cookieless, ms, session, depth` of the events of all sessions whose path meets the condition,
 * each with the depth of the node that it is part of.
 */
export function pathEvents(query: UserFlowQuery, context: InsightContext, condition: Sql): Sql {
  const event = eventSql(query)
  const actors = sql`arraySort((actor, event) -> event, groupArray((${USER_KEY}, distinct_id, cookieless)), groupArray(${event})) AS actors`
  const sessions = sql`SELECT session_id, arraySort(groupArray(${event})) AS ordered, ${actors} ${eligibleSql(query, context)} GROUP BY session_id`
  const labelled = sql`SELECT session_id, ordered, actors, ${labelsOf(sql`ordered`)} AS labels FROM (${sessions})`
  const isNext = sql`(label, previous, position) -> toInt64(position > 1 AND label != previous)`
  const depths = sql`arrayCumSum(arrayMap(${isNext}, labels, arrayShiftRight(labels, 1), arrayEnumerate(labels)))`
  const paths = sql`SELECT session_id, ordered, actors, ${depths} AS depths, ${pathOf(query, sql`labels`)} AS path FROM (${labelled})`
  const ms = sql`toInt64(bitShiftRight(event, 192))`
  return sql`SELECT tupleElement(actor, 1) AS user, tupleElement(actor, 2) AS distinct_id, tupleElement(actor, 3) AS cookieless, ${ms} AS ms, session_id AS session, depth FROM (${paths}) ARRAY JOIN ordered AS event, actors AS actor, depths AS depth WHERE ${condition}`
}

/** The hashes of the labels that have nodes. */
export function compileNamedLabels(
  query: UserFlowQuery,
  context: InsightContext,
): CompiledQuery<{ readonly label: bigint }> {
  return select(
    { label: column(uint64Codec, sql`label`) },
    sql`FROM (${rankedSql(query, context)}) WHERE name != ''`,
  )
}

/** The hash of a label as the paths have it. */
export function labelHash(label: string): Sql {
  return hashOf(sql`${param(stringCodec, label)}`)
}

function eligibleSql(query: UserFlowQuery, context: InsightContext): Sql {
  return sql`${eventsOf([query.scope], context)}${excludeCookieless(context)} AND ${nodeSql(query)} != ''`
}

/** A label as a 60-bit number. */
function labelSql(query: UserFlowQuery): Sql {
  return hashOf(nodeSql(query))
}

function hashOf(text: Sql): Sql {
  return sql`bitShiftRight(sipHash64(${text}), 4)`
}

function nodeSql({ node }: UserFlowQuery): Sql {
  return node.by === 'kind' ? sql`kind` : eventPropertyText(node.property)
}
