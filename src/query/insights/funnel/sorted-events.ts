import { ALWAYS } from '../../../domain/insights/condition.ts'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { EventMatch } from '../../../domain/insights/parse-filters.ts'
import { eventPropertyText } from '../../property/event-property.ts'
import { ID_NUMBER, shiftLeft256 } from '../../sql/event-order.ts'
import { HAS_SESSION } from '../../sql/events-table.ts'
import { join, type Param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { eventsOf, excludeCookieless, matchSql } from '../event-sql.ts'
import { areDisjoint, elapsed, integer, planOrder } from './attempts.ts'

/** What the events of an attempt are needed for besides their times: the columns that they carry. */
export type Carried = 'nothing' | 'ids' | 'actors'

/**
 * How an event is a number, its code: its time since the range's start, the order among events of that time, and its flags.
 * Codes sort as the funnel orders its events.
 */
export interface EventCodes {
  /** One flag per step, the first one highest, 0 where the event matches; below them one per exclusion, 1 where it matches. */
  readonly flagBits: number
  /** Narrow codes are an `Int64` of time and flags; wide ones a `UInt256` with the lowest step and the id between. */
  readonly width: 'narrow' | 'wide'
}

/** Bits below the time of a wide code: 5 for the lowest step, 128 for the id, and 64 for the flags. */
const WIDE_TIME_BIT = 197
const WIDE_ID_BIT = 64

/** Narrow codes have 39 bits for the milliseconds of the longest range of ten years. */
const NARROW_FLAGS_MAX = 63 - 39

/** Chooses the cheaper codes wherever ids can neither affect the attempts nor are needed to find an event again. */
export function planCodes(query: FunnelQuery, carried: Carried): EventCodes {
  const { steps, rules } = query
  const flagBits = steps.length + rules.exclusions.length
  const isSettled =
    carried === 'nothing' &&
    flagBits <= NARROW_FLAGS_MAX &&
    (rules.holdConstant.length === 0 || countsByText(query)) &&
    planOrder(steps) === 'by step' &&
    rules.exclusions.every(({ match }) => steps.every((step) => areDisjoint(step, match)))
  return { flagBits, width: isSettled ? 'narrow' : 'wide' }
}

/**
 * Whether attempts with texts that are held constant only have to be counted: of events of one time with different texts, the
 * first one then decides nothing. Excluded events, and the next one in strict order, may have any text.
 */
function countsByText({ timing, rules }: FunnelQuery): boolean {
  const { holdConstant, exclusions, order, view } = rules
  const hasNumbersOnly = view.kind === 'steps' && timing === 'without'
  return holdConstant.length > 0 && exclusions.length === 0 && order !== 'strict' && hasNumbersOnly
}

/** The number of a step's flag, from the lowest. */
export function stepBit({ flagBits }: EventCodes, step: number): Param {
  return integer(flagBits - 1 - step)
}

/** The number of an exclusion's flag, from the lowest. */
export function exclusionBit({ rules }: FunnelQuery, exclusion: number): Param {
  return integer(rules.exclusions.length - 1 - exclusion)
}

/** The flags of an event that matches no step and no exclusion. */
function noFlags({ steps, rules }: FunnelQuery): number {
  return (2 ** steps.length - 1) * 2 ** rules.exclusions.length
}

/**
 * `SELECT user, at, flags`, and what is carried: the events of each user (or session), as arrays in the funnel's order: the
 * elapsed times and the flags. With properties that are held constant also `held`, a hash of their texts, which is 0
 * where one is empty; such an event fills no step. `ids` carries the ids as numbers; `actors` the distinct ids, the
 * canonical users, whether they are cookieless, and the sessions.
 */
export function sortedEvents(
  query: FunnelQuery,
  context: InsightContext,
  { codes, carried }: { readonly codes: EventCodes; readonly carried: Carried },
): Sql {
  const columns = carriedColumns(query, carried)
  const names = columns.map(({ name }) => sql`, ${name}`)
  const gathered =
    columns.length === 0
      ? sql`arraySort(groupArray(code))`
      : sql`arraySort(event -> tupleElement(event, 1), groupArray((code${join(names, sql``)})))`
  const coded = codes.width === 'narrow' ? narrowCode(codes) : wideCode(query)
  const of = (index: number): Sql =>
    columns.length === 0 ? sql`events` : sql`tupleElement(events, ${literalIndex(index)})`
  const time = codes.width === 'narrow' ? codes.flagBits : WIDE_TIME_BIT
  const at = sql`arrayMap(code -> toInt64(bitShiftRight(code, ${integer(time)})), ${of(0)}) AS at`
  const mask = integer(2 ** codes.flagBits - 1)
  const flags = sql`arrayMap(code -> bitAnd(toUInt64(code), ${mask}), ${of(0)}) AS flags`
  const ids =
    carried === 'nothing'
      ? sql``
      : sql`, arrayMap(code -> toUInt128(bitShiftRight(code, ${integer(WIDE_ID_BIT)})), ${of(0)}) AS ids`
  const carriedArrays = columns.map(({ name }, index) => sql`, ${of(index + 1)} AS ${name}`)
  const flagged = flaggedRows(query, context, { flags: flagsSql(query, context), columns })
  const rows = sql`SELECT user, ${coded} AS code${join(names, sql``)} FROM (${flagged})${whereRelevant(query)}`
  const users = sql`SELECT user, ${gathered} AS events FROM (${rows}) GROUP BY user`
  return sql`SELECT user, ${at}, ${flags}${ids}${join(carriedArrays, sql``)} FROM (${users})`
}

/**
 * `SELECT user, events`: the events of each user (or session) as numbers, ascending: the elapsed time of an event, then a bit for
 * each exclusion and one for each step, 0 where it matches. One row for each text that is held constant.
 */
export function eventCodes(query: FunnelQuery, context: InsightContext, { flagBits }: EventCodes): Sql {
  const { steps, rules } = query
  const none = integer(2 ** flagBits - 1)
  const excluded = rules.exclusions.map(
    ({ match }, index) => sql` - ${flagSql(match, flagBits - 1 - index, context)}`,
  )
  const bits = sql`${none} - ${stepFlags(query, context, steps.length - 1)}${join(excluded, sql``)}`
  const isByText = countsByText(query)
  const text = isByText ? sql`, held` : sql``
  const columns = isByText ? carriedColumns(query, 'nothing') : []
  const flagged = flaggedRows(query, context, { flags: bits, columns })
  const isRelevant = rules.order === 'strict' ? sql`` : sql` WHERE flags != ${none}`
  const rows = sql`SELECT user${text}, at * ${integer(2 ** flagBits)} + flags AS code FROM (${flagged})${isRelevant}`
  return sql`SELECT user, arraySort(groupArray(code)) AS events FROM (${rows}) GROUP BY user${text}`
}

interface CarriedColumn {
  readonly name: Sql
  readonly value: Sql
}

/** The columns that each event carries beside its code, by name. */
function carriedColumns({ rules }: FunnelQuery, carried: Carried): readonly CarriedColumn[] {
  const held = rules.holdConstant.length === 0 ? [] : [{ name: sql`held`, value: heldTexts(rules) }]
  return [...held, ...actorColumns(carried)]
}

function actorColumns(carried: Carried): readonly CarriedColumn[] {
  if (carried !== 'actors') return []
  return [
    { name: sql`who`, value: USER_KEY },
    { name: sql`sent_as`, value: sql`distinct_id` },
    { name: sql`is_cookieless`, value: sql`cookieless` },
    { name: sql`session`, value: sql`session_id` },
  ]
}

/** The names of the arrays that users carry. */
export function carriedNames(carried: Carried): readonly Sql[] {
  return carried === 'nothing' ? [] : [sql`ids`, ...actorColumns(carried).map(({ name }) => name)]
}

function heldTexts({ holdConstant }: FunnelQuery['rules']): Sql {
  const texts = holdConstant.map((property) => eventPropertyText(property))
  const isEmpty = join(
    texts.map((text) => sql`${text} = ''`),
    sql` OR `,
  )
  return sql`if(${isEmpty}, 0, sipHash64(${join(texts, sql`, `)}))`
}

/**
 * Events are read in blocks of the engine's default size. The blocks of users after them are small (`compileFunnel`), and to read
 * events in blocks of that size costs a tenth more.
 */
const WHOLE_BLOCKS = sql`SETTINGS max_block_size = 65409`

/** `SELECT user, at, flags, ...`: the events of the kinds that take part. */
function flaggedRows(
  { steps, rules }: FunnelQuery,
  context: InsightContext,
  { flags, columns }: { readonly flags: Sql; readonly columns: readonly CarriedColumn[] },
): Sql {
  const [key, keyed] =
    rules.countBy === 'sessions' ? [sql`session_id`, sql` AND ${HAS_SESSION}`] : [USER_KEY, sql``]
  // Filters by kind only: the flags already include whether an event takes part, so the conditions are evaluated once.
  const matches = [...steps, ...rules.exclusions.map(({ match }) => match)]
  const every = [{ kind: '', condition: ALWAYS }]
  const kinds = rules.order === 'strict' ? every : matches.map((match) => ({ ...match, condition: ALWAYS }))
  const source = sql`${eventsOf(kinds, context)}${keyed}${excludeCookieless(context)}`
  const values = columns.map(({ name, value }) => sql`, ${value} AS ${name}`)
  return sql`SELECT ${key} AS user, ${elapsed(context)} AS at${join(values, sql``)}, ${flags} AS flags, ${ID_NUMBER} AS id ${source} ${WHOLE_BLOCKS}`
}

/** The flags of the row's event as {@link EventCodes} has them. */
function flagsSql(query: FunnelQuery, context: InsightContext): Sql {
  const { steps, rules } = query
  const count = rules.exclusions.length
  const excluded = rules.exclusions.map(
    ({ match }, index) => sql` + ${flagSql(match, count - 1 - index, context)}`,
  )
  return sql`${integer(noFlags(query))} - ${stepFlags(query, context, steps.length + count - 1)}${join(excluded, sql``)}`
}

/** The sum of the bits of the steps that the row's event matches, the first step at the highest bit. */
function stepFlags({ steps, rules }: FunnelQuery, context: InsightContext, highest: number): Sql {
  const flags = steps.map((step, index) => flagSql(step, highest - index, context))
  const isHeld = rules.holdConstant.length === 0 ? sql`` : sql` * (held != 0)`
  return sql`(${join(flags, sql` + `)})${isHeld}`
}

function flagSql(match: EventMatch, bit: number, context: InsightContext): Sql {
  return sql`(${matchSql(match, context)}) * ${integer(2 ** bit)}`
}

/** In strict order every event takes part: any one between two steps ends the attempt. */
function whereRelevant(query: FunnelQuery): Sql {
  return query.rules.order === 'strict' ? sql`` : sql` WHERE flags != ${integer(noFlags(query))}`
}

function narrowCode({ flagBits }: EventCodes): Sql {
  return sql`at * ${integer(2 ** flagBits)} + flags`
}

/** The lowest step is the highest flag that is 0; events of no step come last. */
function wideCode({ steps, rules }: FunnelQuery): Sql {
  const stepMask = integer(2 ** steps.length - 1)
  const matched = sql`${stepMask} - bitShiftRight(flags, ${integer(rules.exclusions.length)})`
  const lowest = sql`if(${matched} = 0, 31, 20 - toInt64(log2(greatest(${matched}, 1))))`
  return sql`${shiftLeft256(sql`toUInt64(at * 32 + ${lowest})`, 192)} + ${shiftLeft256(sql`toUInt256(id)`, WIDE_ID_BIT)} + toUInt64(flags)`
}

/** An index of a tuple, from 1, which the engine needs as a literal. */
function literalIndex(index: number): Sql {
  return TUPLE_INDEXES[index] ?? sql`1`
}

const TUPLE_INDEXES = [sql`1`, sql`2`, sql`3`, sql`4`, sql`5`, sql`6`] as const
