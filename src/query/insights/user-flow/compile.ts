import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import { int64Codec, stringCodec, uint64Codec, uuidArrayCodec } from '../../sql/codec.ts'
import { EVENT_ORDER, shiftLeft256 } from '../../sql/event-order.ts'
import { HAS_SESSION } from '../../sql/events-table.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import type { OtherSessions } from '../../visit-rows/find-rows.ts'
import { groupRank, OTHERS } from '../breakdown.ts'
import { copiesOf, eventsOf, excludeCookieless } from '../event-sql.ts'
import { anchorBits, boundsSql, isAnchored, partSql } from './anchors.ts'
import { applyRules, hashOf, hasValue, LABEL_MASK, labelSql, listNodes, valueSql } from './node.ts'

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
  // Links by source first (with each label's exits and name), then by target. Until the sources are merged, links are numbers only.
  // The label itself comes along as an exit with the hop 0.
  const left = sql`SELECT place, name, toUInt64(exit) AS crossed, toUInt64(bitShiftRight(exit, 64)) AS sessions FROM (${rankedSql(query, context)}) ARRAY JOIN arrayPushBack(exits, toUInt128(label)) AS exit`
  const merged = sql`SELECT ${hopOf(sql`crossed`)} AS hop, ${labelOf(sql`crossed`)} AS next, any(name) AS source, sum(sessions) AS value FROM (${left}) GROUP BY crossed, place`
  const entered = sql`SELECT anyIf(source, hop = 0) AS target, groupArrayIf((hop, source, value), hop > 0) AS entries FROM (${merged}) GROUP BY next`
  return select(
    {
      depth: column(int64Codec, sql`toInt64(tupleElement(entry, 1)) - 1 AS depth`),
      source: column(stringCodec, sql`tupleElement(entry, 2) AS source`),
      target: column(stringCodec, sql`target`),
      value: column(int64Codec, sql`toInt64(sum(tupleElement(entry, 3))) AS value`),
    },
    sql`FROM (${entered}) ARRAY JOIN entries AS entry GROUP BY depth, source, target ORDER BY value DESC, depth, ${inTextOrder(sql`source`)}, ${inTextOrder(sql`target`)} LIMIT ${param(int64Codec, query.linksMax)}`,
  )
}

/** Labels sort by their text; a real label with the text of the rest comes before the rest. */
export function inTextOrder(label: Sql): Sql {
  return sql`if(${label} = '', ${param(stringCodec, OTHERS)}, ${label}), ${label} = ''`
}

/**
 * Every label with its place (the one after the limit for the rest), its name (empty for the rest) and its exits: the number of
 * sessions, and in the lower 64 bits the hop (four bits) and the target. Arrays of tuples take several times as long as arrays of numbers.
 */
function rankedSql(query: UserFlowQuery, context: InsightContext): Sql {
  const exit = sql`bitOr(bitShiftLeft(toUInt128(sessions), 64), bitOr(bitShiftLeft(hop, 60), target))`
  const counted = sql`SELECT label, sumIf(sessions, hop = 0) AS total, groupArrayIf(${exit}, hop > 0) AS exits FROM (${crossingsSql(query, context)}) GROUP BY label`
  const place = groupRank({ total: sql`total`, keys: sql`text`, limit: query.labelsMax })
  return sql`SELECT label, ${place} AS place, if(place <= ${param(int64Codec, query.labelsMax)}, text, '') AS name, exits FROM (${counted}) AS counted ANY INNER JOIN (${textsOf(query, valuesSql(query, context))}) AS texts USING (label)`
}

/**
 * `SELECT value`: the values of the events of paths, and others: a copy that lost to a later one, an event without a session or one of a
 * cookieless visitor only adds a value that no path asks for.
 */
export function valuesSql(query: UserFlowQuery, context: InsightContext, among?: OtherSessions): Sql {
  const copies = copiesOf([query.scope], inExtent(context, among), hasValue(query))
  return sql`SELECT ${valueSql(query)} AS value ${copies}${whereAmong(among)} GROUP BY value`
}

/** `SELECT label, text` of values. They repeat, so the rules rewrite each different one once. */
export function textsOf(query: UserFlowQuery, values: Sql): Sql {
  const text = applyRules(query, sql`value`)
  return sql`SELECT ${hashOf(text)} AS label, any(${text}) AS text FROM (${values}) GROUP BY label`
}

/**
 * Sessions by (hop, label, target), hops from 1; hop 0 counts the sessions whose path contains the label at all. The grouping
 * key is one 124-bit number: a key of three columns takes twice as long when paths vary widely.
 */
function crossingsSql(query: UserFlowQuery, context: InsightContext): Sql {
  const link = sql`bitOr(bitShiftLeft(bitOr(bitShiftLeft(toUInt128(hop), 60), toUInt128(label)), 60), toUInt128(target))`
  const links = sql`arrayMap((hop, label, target) -> ${link}, arrayEnumerate(arrayPopFront(path)), arrayPopBack(path), arrayPopFront(path))`
  const labels = sql`arrayMap(label -> bitShiftLeft(toUInt128(label), 60), arrayDistinct(path))`
  const steps = sql`SELECT arrayJoin(arrayConcat(${links}, ${labels})) AS step FROM (${pathsSql(query, context)})`
  const label = labelOf(sql`toUInt64(bitShiftRight(step, 60))`)
  return sql`SELECT toUInt64(bitShiftRight(step, 120)) AS hop, ${label} AS label, ${labelOf(sql`toUInt64(step)`)} AS target, count() AS sessions FROM (${steps}) GROUP BY step`
}

/** The label in the lower 60 bits of a number of 64. */
function labelOf(number: Sql): Sql {
  return sql`bitAnd(${number}, ${LABEL_MASK})`
}

/** The hop in the bits above a label. */
function hopOf(number: Sql): Sql {
  return sql`bitShiftRight(${number}, 60)`
}

/**
 * The path of each session, or of each of some: label hashes in event order, adjacent duplicates collapsed, cut to the maximum length.
 * Order and hash form one number, so each event is a single number to keep and to sort.
 */
export function pathsSql(query: UserFlowQuery, context: InsightContext, among?: OtherSessions): Sql {
  const marks = sql`arrayMap(event -> toUInt64(event), arraySort(${listNodes(query, eventSql(query, context))}))`
  const eligible = eligibleSql(query, context, among)
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

/** The path of labels in order. */
export function pathOf({ hopsMax }: UserFlowQuery, labels: Sql): Sql {
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
  const events = sql`arraySort(${listNodes(query, event)})`
  const actors = sql`arraySort((actor, event) -> event, ${listNodes(query, sql`(${USER_KEY}, distinct_id, cookieless)`)}, ${listNodes(query, event)})`
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

function eligibleSql(query: UserFlowQuery, context: InsightContext, among?: OtherSessions): Sql {
  const events = eventsOf([query.scope], inExtent(context, among))
  return sql`${events}${excludeCookieless(context)} AND ${HAS_SESSION}${whereAmong(among)} AND ${hasValue(query)}`
}

/** The context with the part of its range in which some sessions have events. */
function inExtent(context: InsightContext, among: OtherSessions | undefined): InsightContext {
  if (!among) return context
  const { range } = context
  const { fromMs, toMs } = among.extent
  return { ...context, range: { fromMs: Math.max(range.fromMs, fromMs), toMs: Math.min(range.toMs, toMs) } }
}

/** ` AND ...`, or nothing: the events of some sessions. */
function whereAmong(among: OtherSessions | undefined): Sql {
  return among ? sql` AND session_id IN ${param(uuidArrayCodec, among.sessionIds)}` : sql``
}
