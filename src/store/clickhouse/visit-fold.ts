import type { ClickHouse } from './client.ts'
import {
  COUNT_ARRIVALS,
  DAYS_MAX,
  DAYS_TO_FILL,
  FILL_SPAN,
  FIND_ROBBED,
  FOLD_ARRIVALS,
  MARK_GONE,
  READ_ARRIVALS,
  READ_COVERAGE,
  RECOUNT_MS,
  SESSIONS_PER_FOLD,
  WRITE_COVERAGE,
} from './migrations/fold-visits.ts'
import { untilFoldsEnd } from './running-folds.ts'
import { FoldStore } from './visit-fold-store.ts'

const DAY_MS = 24 * 3_600_000

/** Nothing is filled yet: no event is later. */
const END_OF_TIME_MS = Date.UTC(2106, 0, 1)

/** Arrivals are kept for thirty days; a table that has missed some begins anew. */
const MISSED_MS = 20 * DAY_MS

/** Coverage moves on this often without arrivals, so that it is never taken for that of a folder that stands still. */
const IDLE_MS = 3_600_000

/** What the table of visits covers. */
interface VisitCoverage {
  /** Of the last computation; 0 before the first. */
  readonly version: number
  readonly coveredMs: number
  readonly startMs: number
  /** The arrivals of the hour before `coveredMs` that are counted in rows. */
  readonly arrivals: number
}

/** The coverage with the clock of the store. */
interface ReadCoverage extends VisitCoverage {
  /** Whether its rows have the layout of this release. */
  readonly isCurrent: boolean
  /** The same arrivals as of now. */
  readonly recounted: number
  readonly nowMs: number
  /** Arrivals before it can be folded. */
  readonly readyMs: number
}

/** The state after a round. */
export interface FoldedVisits {
  readonly behindSeconds: number
  readonly daysToFill: number
  /** Whether the coverage is as before: no arrivals were folded. */
  readonly isUnchanged: boolean
  /** Time in which nothing was computed. */
  readonly waitedMs: number
}

/** How much a round does, and how long it waits. */
export interface FoldOptions {
  /** Maximum sessions of a statement, except that those of one INSERT and of one day stay together. */
  readonly sessionsMax?: number
  /** Until all questions that have not found the latest arrivals have ended; tests shorten it. */
  readonly settleMs?: number
}

/** One round: folds new arrivals, and fills one span of earlier days. At most one may run at a time. */
export async function foldVisits(
  clickhouse: ClickHouse,
  signal: AbortSignal,
  { sessionsMax = SESSIONS_PER_FOLD, settleMs }: FoldOptions = {},
): Promise<FoldedVisits> {
  // A process that died has left the lease, but its statement may still store older rows.
  await untilFoldsEnd(clickhouse, signal)
  const store = new FoldStore(clickhouse, signal, settleMs)
  const read = await readCoverage(store)
  const folded = await foldArrivals(store, { read, sessionsMax })
  const daysToFill = folded.startMs === 0 ? 0 : await fillSpan(store, { coverage: folded, sessionsMax })
  const behindSeconds = Math.max(0, read.nowMs - folded.coveredMs) / 1000
  const isUnchanged = daysToFill === 0 && folded.coveredMs === read.coveredMs
  return { behindSeconds, daysToFill, isUnchanged, waitedMs: store.waitedMs }
}

/** Removes all visits, so that questions read events. */
export async function emptyVisits(
  clickhouse: ClickHouse,
  signal: AbortSignal,
  { settleMs }: Pick<FoldOptions, 'settleMs'> = {},
): Promise<void> {
  await untilFoldsEnd(clickhouse, signal)
  await new FoldStore(clickhouse, signal, settleMs).empty()
}

async function foldArrivals(
  store: FoldStore,
  { read, sessionsMax }: { readonly read: ReadCoverage; readonly sessionsMax: number },
): Promise<VisitCoverage> {
  const version = Math.max(read.version + 1, read.nowMs)
  const { coveredMs, readyMs, startMs } = read
  const isUsable = read.version > 0 && read.isCurrent
  if (!isUsable || read.nowMs < coveredMs - RECOUNT_MS || readyMs - coveredMs > MISSED_MS) {
    await store.empty()
    return await writeCoverage(store, { version, coveredMs: readyMs, startMs: END_OF_TIME_MS })
  }
  // The clock was set back: from now on, questions read these sessions from events, and the next round folds them.
  if (read.recounted !== read.arrivals)
    return await writeCoverage(store, { version, coveredMs: coveredMs - RECOUNT_MS, startMs })
  if (readyMs <= coveredMs) return { ...read, version }
  const arrivals = await countArrivals(store, readyMs)
  const until = await findEnd(store, { sinceMs: coveredMs, untilMs: readyMs, sessionsMax })
  if (until !== undefined) return await foldSpan(store, { ...read, version }, until)
  if (readyMs - coveredMs < IDLE_MS) return { ...read, version }
  return await writeCoverage(store, { version, coveredMs: readyMs, startMs, arrivals })
}

async function foldSpan(
  store: FoldStore,
  { coveredMs, version, startMs }: VisitCoverage,
  until: number,
): Promise<VisitCoverage> {
  await store.settle()
  const arrivals = await countArrivals(store, until)
  const params = { since: coveredMs, until, version }
  await store.write(FIND_ROBBED, { since: coveredMs, until })
  await store.write(FOLD_ARRIVALS, params)
  await store.write(MARK_GONE, params)
  await store.untilReplicated()
  return await writeCoverage(store, { version, coveredMs: until, startMs, arrivals })
}

/** The end of the arrivals that one fold takes; `undefined` without arrivals. */
async function findEnd(
  store: FoldStore,
  {
    sinceMs,
    untilMs,
    sessionsMax,
  }: { readonly sinceMs: number; readonly untilMs: number; readonly sessionsMax: number },
): Promise<number | undefined> {
  const [found] = await store.read(READ_ARRIVALS, { since: sinceMs, until: untilMs, sessions: sessionsMax })
  const arrivals = Number(found?.arrivals ?? 0)
  if (arrivals === 0) return undefined
  return arrivals < sessionsMax ? untilMs : Number(found?.lastMs) + 1
}

/** Fills whole days, the latest first, until they have as many sessions as one fold takes. Returns how many days are left. */
async function fillSpan(
  store: FoldStore,
  { coverage, sessionsMax }: { readonly coverage: VisitCoverage; readonly sessionsMax: number },
): Promise<number> {
  const { startMs } = coverage
  const days = await store.read(DAYS_TO_FILL, { until: startMs })
  const version = coverage.version + 1
  let [filled, sessions] = [0, 0]
  for (const day of days) {
    if (sessions >= sessionsMax) break
    filled++
    sessions += Number(day.sessions)
  }
  const since = Number(days[filled - 1]?.dayMs ?? 0)
  if (filled > 0) {
    await store.write(FILL_SPAN, { since, until: startMs, version })
    await store.untilReplicated()
  }
  // After the last day there is nothing earlier.
  const left = days.length - filled
  await writeCoverage(store, {
    ...coverage,
    version,
    startMs: left === 0 && days.length < DAYS_MAX ? 0 : since,
  })
  return left
}

async function readCoverage(store: FoldStore): Promise<ReadCoverage> {
  const [row] = await store.read(READ_COVERAGE)
  return {
    version: Number(row?.lastVersion),
    coveredMs: Number(row?.coveredMs),
    startMs: Number(row?.startMs),
    arrivals: Number(row?.arrivals),
    isCurrent: Number(row?.isCurrent) === 1,
    recounted: Number(row?.recounted),
    nowMs: Number(row?.nowMs),
    readyMs: Number(row?.readyMs),
  }
}

async function countArrivals(store: FoldStore, untilMs: number): Promise<number> {
  const [row] = await store.read(COUNT_ARRIVALS, { until: untilMs })
  return Number(row?.arrivals)
}

/** A number of arrivals that is given is from before they were looked for: one that comes in between is found by its difference. */
async function writeCoverage(
  store: FoldStore,
  coverage: Omit<VisitCoverage, 'arrivals'> & { readonly arrivals?: number },
): Promise<VisitCoverage> {
  const { version, coveredMs, startMs } = coverage
  const arrivals = coverage.arrivals ?? (await countArrivals(store, coveredMs))
  await store.write(WRITE_COVERAGE, { version, covered: coveredMs, start: startMs, arrivals })
  return { version, coveredMs, startMs, arrivals }
}
