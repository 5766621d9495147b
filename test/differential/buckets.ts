import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { DataPointSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import type { MsRange } from './model.ts'

/** A local date and time. */
interface WallClock {
  /** Midnight of the local date, written as if the place were at UTC. */
  readonly dateMs: number
  readonly hour: number
  readonly minute: number
  /** Local time minus UTC. */
  readonly offsetMs: number
}

interface BucketRule {
  /** Equal for the instants of one bucket and different for its neighbours. */
  readonly label: (clock: WallClock) => string
  /** Longer than any bucket, and shorter than the time until a label comes back. */
  readonly reachMs: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// The offset distinguishes the two rounds of the hour that repeats in autumn. Days and longer hold both rounds.
const RULES = {
  [Granularity.MINUTE]: {
    label: ({ dateMs, hour, minute, offsetMs }) => `${dateMs} ${hour} ${minute} ${offsetMs}`,
    reachMs: 2 * MINUTE_MS,
  },
  [Granularity.HOUR]: {
    label: ({ dateMs, hour, offsetMs }) => `${dateMs} ${hour} ${offsetMs}`,
    reachMs: 2 * HOUR_MS,
  },
  [Granularity.DAY]: { label: ({ dateMs }) => `${dateMs}`, reachMs: 2 * DAY_MS },
  [Granularity.WEEK]: { label: ({ dateMs }) => `${mondayOf(dateMs)}`, reachMs: 9 * DAY_MS },
  [Granularity.MONTH]: {
    label: ({ dateMs }) => new Date(dateMs).toISOString().slice(0, 7),
    reachMs: 33 * DAY_MS,
  },
} satisfies Record<Exclude<Granularity, Granularity.UNSPECIFIED>, BucketRule>

/** The calendar on which buckets are drawn. */
export interface Calendar {
  readonly granularity: Granularity
  readonly timeZone: string
}

/** Starts of all buckets that intersect a range, ascending; the first may lie before it. */
export function listBucketStarts({ fromMs, toMs }: MsRange, calendar: Calendar): readonly number[] {
  if (fromMs >= toMs) return []
  const starts = [bucketStart(fromMs, calendar)]
  for (;;) {
    const next = nextBucketStart(starts.at(-1) ?? fromMs, calendar)
    if (next >= toMs) return starts
    starts.push(next)
  }
}

/** End of the bucket that starts at an instant. */
export function bucketEnd(startMs: number, calendar: Calendar): number {
  return nextBucketStart(startMs, calendar)
}

/** Index of the bucket that holds an instant. */
export function bucketIndex(starts: readonly number[], ms: number): number {
  return starts.findLastIndex((start) => start <= ms)
}

function bucketStart(ms: number, calendar: Calendar): number {
  const { reachMs } = ruleOf(calendar)
  const label = labelOf(ms, calendar)
  return findFirst({ after: ms - reachMs, upTo: ms, holds: (at) => labelOf(at, calendar) === label })
}

function nextBucketStart(startMs: number, calendar: Calendar): number {
  const { reachMs } = ruleOf(calendar)
  const label = labelOf(startMs, calendar)
  return findFirst({
    after: startMs,
    upTo: startMs + reachMs,
    holds: (at) => labelOf(at, calendar) !== label,
  })
}

interface Search {
  /** Does not hold here. */
  readonly after: number
  /** Holds here. */
  readonly upTo: number
  readonly holds: (ms: number) => boolean
}

/** The first millisecond at which something holds, given that it holds from there on. */
function findFirst({ after, upTo, holds }: Search): number {
  let low = after
  let high = upTo
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

function labelOf(ms: number, calendar: Calendar): string {
  return ruleOf(calendar).label(readWallClock(ms, calendar.timeZone))
}

function ruleOf({ granularity }: Calendar): BucketRule {
  if (granularity === Granularity.UNSPECIFIED) throw new RangeError('a calendar without a granularity')
  return RULES[granularity]
}

function mondayOf(dateMs: number): number {
  const daysSinceMonday = (new Date(dateMs).getUTCDay() + 6) % 7
  return dateMs - daysSinceMonday * DAY_MS
}

const formats = new Map<string, Intl.DateTimeFormat>()

function readWallClock(ms: number, timeZone: string): WallClock {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const read = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? Number.NaN
  const dateMs = Date.UTC(read('year'), read('month') - 1, read('day'))
  const [hour, minute] = [read('hour'), read('minute')]
  const localMs = dateMs + hour * HOUR_MS + minute * MINUTE_MS + read('second') * 1000
  return { dateMs, hour, minute, offsetMs: localMs - Math.floor(ms / 1000) * 1000 }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const numeric = 'numeric'
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
  formats.set(timeZone, format)
  return format
}

/** One point per bucket; what lies in a bucket is measured by itself. */
export function pointsOf<Item>(
  items: readonly Item[],
  rule: {
    readonly bucketStarts: readonly number[]
    readonly instantOf: (item: Item) => number
    readonly measure: (items: readonly Item[]) => number
  },
): readonly MessageInitShape<typeof DataPointSchema>[] {
  const byBucket = Map.groupBy(items, (item) => bucketIndex(rule.bucketStarts, rule.instantOf(item)))
  return rule.bucketStarts.map((start, index) => ({
    time: timestampFromMs(start),
    value: rule.measure(byBucket.get(index) ?? []),
  }))
}
