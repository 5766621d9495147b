import { afterAll, beforeAll, expect, test } from 'vitest'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { bucketIndex, bucketOf, groupedBucket } from '../../src/query/insights/bucket-sql.ts'
import { int64ArrayCodec, int64Codec } from '../../src/query/sql/codec.ts'
import { column, select } from '../../src/query/sql/select.ts'
import { param, type Sql, sql } from '../../src/query/sql/sql.ts'
import { bucketIndex as indexByReference, listBucketStarts } from './buckets.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import type { WorldStore } from './world-store.ts'

let store: WorldStore
beforeAll(async () => {
  store = await openSharedWorldStore()
})
afterAll(async () => await store.close())

const DAY_MS = 86_400_000

interface Located {
  readonly ms: number
  readonly index: number
  readonly start: number
}

/** Where the engine locates instants: by number and by start in one statement, and by the groups of another one. */
async function locate(instants: readonly number[], starts: readonly number[]) {
  const at = param(int64ArrayCodec, instants)
  const rows = sql`FROM (SELECT arrayJoin(${at}) AS ms, fromUnixTimestamp64Milli(ms, 'UTC') AS time)`
  const byRow = await run(
    {
      index: sql`toInt64(${bucketIndex(sql`ms`, starts)})`,
      start: bucketOf(sql`time`, starts),
    },
    sql`${rows} ORDER BY ms`,
  )
  const { start, key } = groupedBucket(sql`time`, starts)
  const groups = sql`SELECT ${start} AS found, groupArray(ms) AS members ${rows} GROUP BY ${key}`
  const byGroup = await run(
    { index: sql`toInt64(0)`, start: sql`found` },
    sql`FROM (${groups}) ARRAY JOIN members AS ms ORDER BY ms`,
  )
  return { byRow, byGroup: byGroup.map(({ ms, start }) => [ms, start]) }
}

async function run(columns: { readonly index: Sql; readonly start: Sql }, rest: Sql): Promise<Located[]> {
  const ms = column(int64Codec, sql`ms`)
  const { index, start } = columns
  const query = select({ ms, index: column(int64Codec, index), start: column(int64Codec, start) }, rest)
  return await store.run(query, AbortSignal.timeout(30_000))
}

/** Both sides of each start and of hours around it, within the range; of many starts those beside a bucket of another width. */
function instantsOf(starts: readonly number[], { fromMs, toMs }: { fromMs: number; toMs: number }) {
  const around = [-DAY_MS, -7_200_000, -3_600_000, -1_800_000, 0, 1_800_000, 3_600_000, DAY_MS]
  const told = starts.filter((_, at) => starts.length < 60 || at < 2 || isUneven(starts, at))
  const all = told.flatMap((start) =>
    around.flatMap((offset) => [start + offset - 1, start + offset, start + offset + 1]),
  )
  const within = [fromMs, toMs - 1, ...all].filter((ms) => ms >= fromMs && ms < toMs)
  return [...new Set(within)].sort((a, b) => a - b)
}

function isUneven(starts: readonly number[], at: number): boolean {
  const [before = 0, start = 0, next = 0] = starts.slice(Math.max(0, at - 1), at + 2)
  return next - start !== start - before
}

const { MINUTE, HOUR, DAY, WEEK, MONTH } = Granularity

test.each<[zone: string, granularity: Granularity, from: string, to: string]>([
  ['UTC', DAY, '2026-03-01T05:00Z', '2026-03-31T07:00Z'],
  ['UTC', HOUR, '2026-03-01T05:30Z', '2026-03-03T07:10Z'],
  ['Europe/Berlin', DAY, '2026-03-20T12:00Z', '2026-04-05T12:00Z'],
  ['Europe/Berlin', DAY, '2026-10-20T12:00Z', '2026-11-05T12:00Z'],
  ['Europe/Berlin', DAY, '2025-01-01T00:00Z', '2026-12-31T12:00Z'],
  ['Europe/Berlin', DAY, '2023-01-01T00:00Z', '2026-12-31T12:00Z'],
  ['Europe/Berlin', DAY, '2026-10-20T12:00Z', '2026-10-25T22:59Z'],
  ['Europe/Berlin', HOUR, '2026-10-24T22:00Z', '2026-10-25T05:00Z'],
  ['Europe/Berlin', WEEK, '2026-01-01T00:00Z', '2026-12-31T00:00Z'],
  ['Europe/Berlin', MONTH, '2026-01-15T00:00Z', '2026-04-20T00:00Z'],
  ['Europe/Berlin', MONTH, '2024-01-15T00:00Z', '2026-12-20T00:00Z'],
  ['Australia/Lord_Howe', DAY, '2026-03-25T00:00Z', '2026-04-12T00:00Z'],
  ['Australia/Lord_Howe', HOUR, '2026-04-04T10:00Z', '2026-04-04T20:00Z'],
  ['Australia/Lord_Howe', HOUR, '2026-10-03T10:00Z', '2026-10-03T20:00Z'],
  ['Asia/Kathmandu', HOUR, '1985-12-31T10:00Z', '1986-01-01T10:00Z'],
  ['Pacific/Apia', DAY, '2011-12-20T00:00Z', '2012-01-05T00:00Z'],
  ['America/Sao_Paulo', DAY, '2018-10-28T00:00Z', '2018-11-12T00:00Z'],
  ['Africa/Monrovia', DAY, '1971-12-25T00:00Z', '1972-01-20T00:00Z'],
  ['Africa/Monrovia', MINUTE, '1972-01-06T23:00Z', '1972-01-07T02:00Z'],
])(
  'the engine finds the buckets of %s, granularity %i, from %s to %s',
  async (timeZone, granularity, from, to) => {
    const range = { fromMs: Date.parse(from), toMs: Date.parse(to) }
    const starts = listBucketStarts(range, { granularity, timeZone })
    const instants = instantsOf(starts, range)
    const expected = instants.map((ms) => {
      const index = indexByReference(starts, ms)
      return { ms, index, start: starts[index] }
    })
    const { byRow, byGroup } = await locate(instants, starts)
    expect(byRow).toEqual(expected)
    expect(byGroup).toEqual(expected.map(({ ms, start }) => [ms, start]))
  },
)
