import { createHash } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'
import { ERASURES_DAY } from '../../store/clickhouse/migrations/018-day-cells.ts'
import {
  bigintCodec,
  int64ArrayCodec,
  int64ArraysCodec,
  int64Codec,
  stringArrayCodec,
  stringCodec,
  uint8ArrayCodec,
  uint32Codec,
  uuidCodec,
} from '../sql/codec.ts'
import { type DayCells, insertCells } from '../sql/day-cells.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type Column, type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { daysOf, type Span } from '../sql/spans.ts'
import { param, render, type Sql, sql } from '../sql/sql.ts'

/** Fills of one question that are looked at, the latest first. */
const FILLS_MAX = 500

/** The days, of those whose events arrived last, that may be kept by hours. */
const DAYS_BY_HOUR = 8

/** The identity of a question without its range: the text and the values of the statement that stores a day of it in one bucket. */
export function specOf(cells: DayCells): string {
  const range = { fromMs: 0, toMs: 1 }
  const inOneBucket = { ...cells, range, buckets: undefined }
  const statement = insertCells(inOneBucket, { spec: '', fill: '', erasures: 0n }, daysOf(range))
  const text = JSON.stringify(render(statement), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const digest = createHash('sha256').update(text).digest('hex')
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Events that have arrived, copies included. */
export interface Arrivals {
  readonly count: bigint
  /** When the last one did; 0 when there are none. */
  readonly arrivedMs: number
}

/** The arrivals of a day. */
interface DayArrivals extends Arrivals {
  /** By hour, from 1 to 24, and of any hour at 0; absent where other days have later arrivals. */
  readonly hours?: ReadonlyMap<number, Arrivals> | undefined
}

/** What is known about the days of a project at an instant of the store. */
export interface ProjectDays {
  readonly nowMs: number
  /** Events that arrived before this instant are visible to every statement. */
  readonly coveredMs: number
  /** Since when arrivals are counted. */
  readonly countedMs: number
  /** Number of erasures. */
  readonly erasures: bigint
  /** The users of ids, as {@link mappingOf}. */
  readonly mapping: string
  /** None for a day without an entry. */
  readonly arrivals: ReadonlyMap<string, DayArrivals>
}

const NONE: Arrivals = { count: 0n, arrivedMs: 0 }

/**
 * Events that may have arrived for a span: an hour has those of any hour of its day as well. No arrival leaves the number as it was, and
 * none makes it smaller. Unknown for hours of days that are not counted by hour.
 */
export function arrivalsOf({ arrivals }: ProjectDays, { day, hour }: Span): Arrivals | undefined {
  const all = arrivals.get(day)
  if (!all) return NONE
  if (hour === 0) return all
  if (!all.hours) return undefined
  return add(all.hours.get(hour) ?? NONE, all.hours.get(0) ?? NONE)
}

const STATE = {
  nowMs: column(int64Codec, sql`toUnixTimestamp64Milli(now64(3))`),
  coveredMs: column(int64Codec, sql`toUnixTimestamp64Milli((SELECT min(covered) FROM session_coverage))`),
  countedMs: column(
    int64Codec,
    sql`toUnixTimestamp64Milli((SELECT max(applied) FROM migrations WHERE version = 18))`,
  ),
  days: column(stringArrayCodec, sql`groupArray(toString(day))`),
  counts: column(stringArrayCodec, sql`groupArray(toString(total))`),
  arrivedMs: column(int64ArrayCodec, sql`groupArray(latest)`),
  ofHours: column(int64ArraysCodec, firstDays(sql`of_hour`)),
  hourCounts: column(int64ArraysCodec, firstDays(sql`of_counts`)),
  hourArrivedMs: column(int64ArraysCodec, firstDays(sql`of_arrivals`)),
}

function firstDays(arrays: Sql): Sql {
  return sql`arraySlice(groupArray(${arrays}), 1, ${param(int64Codec, DAYS_BY_HOUR)})`
}

/** Reads what has arrived for the days of a project. */
export async function readProjectDays(projectId: ProjectId, run: QueryRunner): Promise<ProjectDays> {
  const ms = sql`toUnixTimestamp64Milli`
  const rows = sql`groupArray(toInt64(hour)) AS of_hour, groupArray(toInt64(arrivals)) AS of_counts, groupArray(${ms}(arrived)) AS of_arrivals`
  const byDay = sql`SELECT day, sum(arrivals) AS total, ${ms}(max(arrived)) AS latest, ${rows} ${scopedTable('day_arrivals', projectId)} GROUP BY day ORDER BY latest DESC`
  const columns = { ...STATE, ...mappingColumn(projectId) }
  const [row] = await run(select(columns, sql`FROM (${byDay})`))
  const arrivals = new Map(
    (row?.days ?? []).map((day, index): [string, DayArrivals] => {
      const total = { count: BigInt(row?.counts[index] ?? 0), arrivedMs: row?.arrivedMs[index] ?? 0 }
      const hours = row?.ofHours[index]
      if (!hours) return [day, total]
      const [counts = [], arrivedMs = []] = [row.hourCounts[index], row.hourArrivedMs[index]]
      return [day, { ...total, hours: addByHour({ hours, counts, arrivedMs }) }]
    }),
  )
  return {
    nowMs: row?.nowMs ?? 0,
    coveredMs: row?.coveredMs ?? 0,
    countedMs: row?.countedMs ?? 0,
    erasures: arrivals.get(ERASURES_DAY)?.count ?? 0n,
    mapping: row?.mapping ?? '',
    arrivals,
  }
}

/**
 * A text that is another one whenever the canonical user of an id of the project is another one, on the node that is asked; empty where its
 * dictionary is one of an earlier release. The keys are those of `identitiesDictionary`.
 */
function mappingOf(projectId: ProjectId): Sql {
  const key = sql`cityHash64('checksum of aliases', ${param(uint32Codec, projectId)})`
  const checksum = sql`dictGetOrDefault('identities', 'user_hash', ${key}, toUInt64(0))`
  return sql`if(dictHas('identities', cityHash64('checksums of aliases')), toString(${checksum}), '')`
}

function mappingColumn(projectId: ProjectId): { readonly mapping: Column<string> } {
  return { mapping: column(stringCodec, mappingOf(projectId)) }
}

/** Reads which users the ids of a project have, as {@link mappingOf}. */
export async function readMapping(projectId: ProjectId, run: QueryRunner): Promise<string> {
  const [row] = await run(select(mappingColumn(projectId), sql``))
  return row?.mapping ?? ''
}

/** Adds up rows, of which an hour has several until they are merged. */
function addByHour({
  hours,
  counts,
  arrivedMs,
}: {
  readonly hours: readonly number[]
  readonly counts: readonly number[]
  readonly arrivedMs: readonly number[]
}): ReadonlyMap<number, Arrivals> {
  const byHour = new Map<number, Arrivals>()
  for (const [index, hour] of hours.entries()) {
    const row = { count: BigInt(counts[index] ?? 0), arrivedMs: arrivedMs[index] ?? 0 }
    byHour.set(hour, add(byHour.get(hour) ?? NONE, row))
  }
  return byHour
}

function add(one: Arrivals, other: Arrivals): Arrivals {
  return {
    count: one.count + other.count,
    arrivedMs: Math.max(one.arrivedMs, other.arrivedMs),
  }
}

const FILL = {
  fill: column(uuidCodec, sql`fill`),
  erasures: column(bigintCodec, sql`toInt64(erasures)`),
  days: column(stringArrayCodec, sql`arrayMap(day -> toString(day), days)`),
  hours: column(uint8ArrayCodec, sql`hours`),
  versions: column(stringArrayCodec, sql`versions`),
  filledMs: column(int64Codec, sql`toUnixTimestamp64Milli(filled)`),
}

/** Cells that are stored for some spans of a question: `days`, `hours` and `versions` have one entry for each. */
export type Fill = Row<typeof FILL>

/** Finds the fills of a question, the latest first. */
export function compileFills(projectId: ProjectId, spec: string): CompiledQuery<Fill> {
  return select(
    FILL,
    sql`${scopedTable('day_fills', projectId)} AND spec = ${param(uuidCodec, spec)} ORDER BY filled DESC LIMIT ${param(int64Codec, FILLS_MAX)}`,
  )
}
