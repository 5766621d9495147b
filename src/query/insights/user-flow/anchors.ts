import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { UserFlowQuery } from '../../../domain/insights/user-flow.ts'
import type { PathAnchor } from '../../../domain/insights/user-flow-path.ts'
import { stringCodec } from '../../sql/codec.ts'
import { param, type Sql, sql } from '../../sql/sql.ts'
import { matchSql } from '../event-sql.ts'
import { nodeSql } from './node.ts'

/** The two bits above those of a label: whether the event is a start, and whether it is an end. */
const BITS = { start: sql`60`, end: sql`61` } as const

/** Whether paths start or end at certain events. */
export function isAnchored({ startAt, endAt }: UserFlowQuery): boolean {
  return startAt !== undefined || endAt !== undefined
}

/** ` + ...`, or nothing: the bits of the row's event, to add to its label. */
export function anchorBits(query: UserFlowQuery, context: InsightContext): Sql {
  const bit = (anchor: PathAnchor | undefined, position: Sql): Sql =>
    anchor ? sql` + bitShiftLeft(toUInt64(${isAt(anchor, query, context)}), ${position})` : sql``
  return sql`${bit(query.startAt, BITS.start)}${bit(query.endAt, BITS.end)}`
}

function isAt(anchor: PathAnchor, query: UserFlowQuery, context: InsightContext): Sql {
  return anchor.by === 'event'
    ? matchSql(anchor.match, context)
    : sql`${nodeSql(query)} = ${param(stringCodec, anchor.value)}`
}

/**
 * `... AS first, ... AS size`: where the path is in the events of the session, whose labels with their bits are `marks`; `first`
 * counts from 1. A session without an anchor has the size 0.
 */
export function boundsSql({ startAt, endAt }: UserFlowQuery): Sql {
  const starting = sql`arrayFirstIndex(mark -> bitTest(mark, ${BITS.start}), marks) AS starting, greatest(starting, 1) AS first`
  if (!endAt) return sql`${starting}, if(starting = 0, 0, length(marks) - starting + 1) AS size`
  if (!startAt) return sql`1 AS first, arrayLastIndex(mark -> bitTest(mark, ${BITS.end}), marks) AS size`
  const ending = sql`arrayFirstIndex((mark, at) -> bitTest(mark, ${BITS.end}) AND at > starting, marks, arrayEnumerate(marks)) AS ending`
  return sql`${starting}, ${ending}, if(starting = 0 OR ending = 0, 0, ending - starting + 1) AS size`
}

/** The part of a list of the events of a session that {@link boundsSql} bounds, in the direction of the path. */
export function partSql({ startAt }: UserFlowQuery, list: Sql): Sql {
  const part = sql`arraySlice(${list}, first, size)`
  return startAt ? part : sql`arrayReverse(${part})`
}
