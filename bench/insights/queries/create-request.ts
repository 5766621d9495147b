import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { TRAFFIC_RANGE } from '../world/traffic.ts'

/** A half-open range in milliseconds since the Unix epoch. */
export interface Range {
  readonly fromMs: number
  readonly toMs: number
}

/** The whole traffic: 60 days. */
export const WHOLE: Range = TRAFFIC_RANGE

const DAY_MS = 86_400_000

/** Its last seven days, of the month whose parts are still many. */
export const LAST_WEEK: Range = { fromMs: TRAFFIC_RANGE.toMs - 7 * DAY_MS, toMs: TRAFFIC_RANGE.toMs }

/** A QueryRequest in proto JSON. */
export function createRequest(
  spec: Readonly<Record<string, JsonValue>>,
  {
    range = WHOLE,
    granularity = 'DAY',
  }: { readonly range?: Range; readonly granularity?: 'DAY' | 'WEEK' } = {},
): JsonObject {
  return {
    spec: { ...spec, insightType: `INSIGHT_TYPE_${String(spec.insightType)}` },
    timeRange: { from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() },
    granularity: `GRANULARITY_${granularity}`,
    timezone: 'UTC',
  }
}

/** An EventQuery of a kind, counted. */
export function counted(kind: string, aggregation: string, aggregationProperty = ''): JsonObject {
  return { event: { kind }, aggregation: `AGGREGATION_TYPE_${aggregation}`, aggregationProperty }
}

/** A funnel's step or an end of retention. */
export function step(kind: string): JsonObject {
  return { event: { kind } }
}

/** Whether a column of time is in a range, as SQL. */
export function within(column: string, { fromMs, toMs }: Range = WHOLE): string {
  return `${column} >= fromUnixTimestamp64Milli(${fromMs}, 'UTC') AND ${column} < fromUnixTimestamp64Milli(${toMs}, 'UTC')`
}

/** `FROM events` without copies, by the columns of the sorting key; ends in a PREWHERE that AND extends. */
export function events({ range = WHOLE, kinds = [] as readonly string[] } = {}): string {
  const ofKind = kinds.length === 0 ? '' : ` AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`
  return `FROM events FINAL PREWHERE project = 1 AND ${days(range)} AND ${within('time', range)}${ofKind}`
}

/** As {@link events}, with the copies. */
export function copies(of?: Parameters<typeof events>[0]): string {
  return events(of).replace(' FINAL ', ' ')
}

/** The days of a range by name, which the sorting key has. */
function days({ fromMs, toMs }: Range): string {
  const date = (ms: number) => `'${new Date(ms).toISOString().slice(0, 10)}'`
  return `toDate(time) >= ${date(fromMs)} AND toDate(time) <= ${date(toMs - 1)}`
}

/** The canonical user of a raw hash. */
export function canonical(hash: string): string {
  return `dictGetOrDefault('identities', 'user_hash', ${hash}, ${hash})`
}

/** The canonical user of an event. */
export const USER = canonical('user_hash')

/** The hashes that were sent, each once: far fewer than events to look up in the dictionary. */
export const SENT = 'groupUniqArray(user_hash)'

/** The canonical users of hashes that were sent; several may be the same. */
export function canonicals(hashes: string): string {
  return `arrayMap(hash -> ${canonical('hash')}, ${hashes})`
}

/** Milliseconds of an event. */
export const MS = 'toUInt64(toUnixTimestamp64Milli(time))'

/** The first half of an event's id, as its text has it: enough to order events of one millisecond. */
export const ID_HALF = 'toUInt64(reinterpretAsUInt128(event_id))'

/** Where an event stands among others, in 128 bits: by time, then by id. */
export const PLACE = `bitOr(bitShiftLeft(toUInt128(${MS}), 64), ${ID_HALF})`

/** Where an event stands among others, in 256 bits: by time, then by the text of its whole id. */
export const WHOLE_PLACE = `(${MS} * toUInt256('${2n ** 128n}') + bitOr(bitShiftLeft(reinterpretAsUInt128(event_id), 64), bitShiftRight(reinterpretAsUInt128(event_id), 64)))`

/** The day of an event, in milliseconds. */
export function dayMs(date: string): string {
  return `toInt64(toUInt32(${date})) * 86400000`
}

/**
 * The first ten values and the rest of them, from rows with the columns `value`, `at` and a state, in one scan: the rows
 * are gathered by value, ranked by the merged state, and gathered again.
 */
export function topTen(
  rows: string,
  {
    merge,
    order = `${merge}(state)`,
    at,
  }: { readonly merge: string; readonly order?: string; readonly at: string },
): string {
  return `
    SELECT if(place > 10, '$others', value) AS shown, ${at}, ${merge}(cell.2) FROM (
      SELECT value, cells, row_number() OVER (ORDER BY total DESC, value) AS place FROM (
        SELECT value, groupArray((at, state)) AS cells, ${order} AS total FROM (${rows}) GROUP BY value))
    ARRAY JOIN cells AS cell GROUP BY shown, cell.1`
}
