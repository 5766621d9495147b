import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { listBucketStarts } from './buckets.ts'

/** A time and a place at which calendars go wrong. */
export interface Scene {
  readonly timeZone: string
  readonly anchorMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Clock changes of an hour, of half an hour, over a day and at midnight; zones off the hour; a leap day. */
export const SCENES: readonly Scene[] = [
  { timeZone: 'Europe/Berlin', anchorMs: Date.parse('2024-03-31T01:00:00Z') },
  { timeZone: 'Europe/Berlin', anchorMs: Date.parse('2024-10-27T01:00:00Z') },
  { timeZone: 'America/New_York', anchorMs: Date.parse('2024-03-10T07:00:00Z') },
  { timeZone: 'America/New_York', anchorMs: Date.parse('2024-11-03T06:00:00Z') },
  { timeZone: 'Australia/Lord_Howe', anchorMs: Date.parse('2024-04-06T15:00:00Z') },
  { timeZone: 'Australia/Lord_Howe', anchorMs: Date.parse('2024-10-05T15:30:00Z') },
  { timeZone: 'Asia/Kathmandu', anchorMs: Date.parse('2024-06-01T18:15:00Z') },
  { timeZone: 'Pacific/Apia', anchorMs: Date.parse('2011-12-30T10:00:00Z') },
  { timeZone: 'America/Sao_Paulo', anchorMs: Date.parse('2018-11-04T03:00:00Z') },
  { timeZone: 'UTC', anchorMs: Date.parse('2024-03-01T00:00:00Z') },
]

const REACHES = [
  [Granularity.HOUR, 4 * HOUR_MS],
  [Granularity.DAY, 3 * DAY_MS],
  [Granularity.WEEK, 14 * DAY_MS],
  [Granularity.MONTH, 40 * DAY_MS],
] as const

/** Instants worth an event or the end of a range: the clock change and edges of buckets, and a millisecond off. */
export function listInstants({ timeZone, anchorMs }: Scene): readonly number[] {
  const edges = REACHES.flatMap(([granularity, reachMs]) =>
    listBucketStarts({ fromMs: anchorMs - reachMs, toMs: anchorMs + reachMs }, { granularity, timeZone }),
  )
  const instants = [anchorMs, anchorMs + HOUR_MS / 2, anchorMs - HOUR_MS / 2, ...edges]
  return [...new Set(instants.flatMap((ms) => [ms - 1, ms, ms + 1]))]
}
