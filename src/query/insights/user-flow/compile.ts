import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { int64Codec, stringCodec, uint64Codec } from '../../sql/codec.ts'
import { EVENT_ORDER, shiftLeft256 } from '../../sql/event-order.ts'
import { HAS_SESSION } from '../../sql/events-table.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { OTHERS } from '../breakdown.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'
import { anchorBits, boundsSql, isAnchored, partSql } from './anchors.ts'
import { hasNode, LABEL_MASK, labelSql, nodeSql } from './node.ts'

/** Sessions that go from one label to another at a depth. The empty label stands for all labels of the rest. */
export interface LinkRow {
  /** Depth of the source, from 0. */
  readonly depth: number
  readonly source: string
  readonly target: string
  readonly value: number
}

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
  const marks = sql`arrayMap(event -> toUInt64(event), arraySort(groupArray(${eventSql(query, context)})))`
  const eligible = eligibleSql(query, context)
  if (!isAnchored(query)) return sql`SELECT ${pathOf(query, marks)} AS path ${eligible} GROUP BY session_id`
  const bounded = sql`SELECT marks, ${boundsSql(query)} FROM (SELECT ${marks} AS marks ${eligible} GROUP BY session_id)`
  return sql`SELECT ${pathOf(query, labelsOf(query, partSql(query, sql`marks`)))} AS path FROM (${bounded})`
}

/** An event as a number: its order, then its label with the bits of the anchors. */
function eventSql(query: UserFlowQuery, context: InsightContext): Sql {
  return sql`${shiftLeft256(sql`(${EVENT_ORDER})`, 64)} + ${labelSql(query)}${anchorBits(query, context)}`
}

/** The labels of events or of their lower halves. */
function labelsOf(query: UserFlowQuery, events: Sql): Sql {
  const label = isAnchored(query) ? sql`bitAnd(toUInt64(event), ${LABEL_MASK})` : sql`toUInt64(event)`
  return sql`arrayMap(event -> ${label}, ${events})`
}

function pathOf({ hopsMax }: UserFlowQuery, labels: Sql): Sql {
  return sql`arraySlice(arrayCompact(${labels}), 1, ${param(int64Codec, hopsMax + 1)})`
}

/**
 * `SELECT user, distinct_id, cookieless, ms, session, depth` of the events of all sessions whose path meets the condition,
 * each with the depth of the node that it is part of.
 */
export function pathEvents(query: UserFlowQuery, context: InsightContext, condition: Sql): Sql {
  const labelled = sql`SELECT session_id, ordered, actors, ${labelsOf(query, sql`ordered`)} AS labels FROM (${sessionsSql(query, context)})`
  const isNext = sql`(label, previous, position) -> toInt64(position > 1 AND label != previous)`
  const depths = sql`arrayCumSum(arrayMap(${isNext}, labels, arrayShiftRight(labels, 1), arrayEnumerate(labels)))`
  const paths = sql`SELECT session_id, ordered, actors, ${depths} AS depths, ${pathOf(query, sql`labels`)} AS path FROM (${labelled})`
  const ms = sql`toInt64(bitShiftRight(event, 192))`
  return sql`SELECT tupleElement(actor, 1) AS user, tupleElement(actor, 2) AS distinct_id, tupleElement(actor, 3) AS cookieless, ${ms} AS ms, session_id AS session, depth FROM (${paths}) ARRAY JOIN ordered AS event, actors AS actor, depths AS depth WHERE ${condition}`
}

/** `SELECT session_id, ordered, actors`: the events of each path, and their users, in its order. */
function sessionsSql(query: UserFlowQuery, context: InsightContext): Sql {
  const event = eventSql(query, context)
  const events = sql`arraySort(groupArray(${event}))`
  const actors = sql`arraySort((actor, event) -> event, groupArray((${USER_KEY}, distinct_id, cookieless)), groupArray(${event}))`
  const eligible = eligibleSql(query, context)
  if (!isAnchored(query)) {
    return sql`SELECT session_id, ${events} AS ordered, ${actors} AS actors ${eligible} GROUP BY session_id`
  }
  const whole = sql`SELECT session_id, ${events} AS events_seen, ${actors} AS actors_seen ${eligible} GROUP BY session_id`
  const marked = sql`SELECT session_id, events_seen, actors_seen, arrayMap(event -> toUInt64(event), events_seen) AS marks FROM (${whole})`
  const bounded = sql`SELECT session_id, events_seen, actors_seen, ${boundsSql(query)} FROM (${marked})`
  return sql`SELECT session_id, ${partSql(query, sql`events_seen`)} AS ordered, ${partSql(query, sql`actors_seen`)} AS actors FROM (${bounded})`
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

function eligibleSql(query: UserFlowQuery, context: InsightContext): Sql {
  return sql`${eventsOf([query.scope], context)}${excludeCookieless(context)} AND ${HAS_SESSION} AND ${hasNode(query)}`
}
