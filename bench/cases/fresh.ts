import { strictEqual } from 'node:assert'
import type { QueryRequest } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import {
  copyMerged,
  FRESH,
  ingestFresh,
  MERGED,
  PAGE_VIEWS,
  QUESTIONS,
  questionOf,
} from '../rig/fresh-months.ts'
import { type BenchService, startService } from '../rig/service.ts'
import type { Range } from '../rig/trends.ts'
import { median } from '../summary.ts'
import type { Teardown } from '../teardown.ts'

/** When the questions about fresh events are asked. */
type Asked = 'at once' | 'a minute later' | 'again and again'

const CASES = [
  ['fresh/overview', 'at once'],
  ['fresh/overview-a-minute-later', 'a minute later'],
  ['fresh/overview-asked-again', 'again and again'],
] as const satisfies readonly (readonly [string, Asked])[]

const ASKED_PER_ROUND = 9
const MONTHS = 2
const LOOK_EVERY_MS = 500
const DAY_MS = 86_400_000
const WAIT_MS_MAX = 90_000
/** Days are kept once their last arrival is covered, one question at a time. */
const KEPT_MS_MAX = 300_000
const KEPT_BYTES_MAX = '1073741824'
/** The service leaves fewer fresh events to the engine. */
const MERGED_SHARE_MIN = 0.99

/**
 * An overview of a million page views that have just arrived: as their parts are then, after the service has merged them, and from kept days. The
 * first two read every event each time.
 */
export const freshCases: readonly BenchCase[] = CASES.map(([name, asked]) => ({
  name,
  unit: 'ms wall/question',
  baseline:
    asked === 'again and again' ? 'a daily count in plain SQL' : 'the same questions about a merged month',
  rounds: 3,
  prepare: async (teardown) => await prepare(asked, teardown),
}))

async function prepare(asked: Asked, teardown: Teardown): Promise<MeasureRound> {
  const isKept = asked === 'again and again'
  const service = await startService(teardown, isKept ? { SERVICE_KEPT_DAYS_MAX_BYTES: KEPT_BYTES_MAX } : {})
  await ingestFresh(service)
  await copyMerged(service)
  if (isKept) {
    await untilKept(service)
    return async () => {
      const measured = await ask(service)
      return { ...measured, baseline: measured.parts?.['days in plain SQL'] ?? Number.NaN }
    }
  }
  if (asked === 'a minute later') await untilMerged(service)
  else if ((await listParts(service)).length > MONTHS)
    await service.store.clickhouse.command({ query: 'SYSTEM STOP MERGES events' })
  else throw new Error('the events were merged before the first question')
  return async () => await ask(service)
}

async function ask(service: BenchService): ReturnType<MeasureRound> {
  const parts: Record<string, number> = {}
  let [cost, baseline] = [0, 0]
  for (const name of QUESTIONS) {
    const [fresh = Number.NaN, merged = Number.NaN] = await measure([
      async () => await service.query(questionOf(name, FRESH)),
      async () => await service.query(questionOf(name, MERGED)),
    ])
    parts[name] = fresh
    cost += fresh / QUESTIONS.length
    baseline += merged / QUESTIONS.length
  }
  const [six = Number.NaN, sixMerged = Number.NaN, plain = Number.NaN] = await measure([
    async () => await askAll(service, FRESH),
    async () => await askAll(service, MERGED),
    async () => await countPlainly(service),
  ])
  const together = { 'six at once': six, 'six of the merged month': sixMerged, 'days in plain SQL': plain }
  return {
    cost,
    baseline,
    parts: { ...parts, ...together, 'parts of the table': (await listParts(service)).length },
  }
}

/** Median wall milliseconds of each work, asked in turn. */
async function measure(works: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < ASKED_PER_ROUND; round++) {
    for (const [index, work] of works.entries()) {
      const startMs = monotonicMs()
      await work()
      times[index]?.push(monotonicMs() - startMs)
    }
  }
  return times.map(median)
}

async function askAll({ query }: BenchService, range: Range): Promise<void> {
  const requests: readonly QueryRequest[] = QUESTIONS.map((name) => questionOf(name, range))
  await Promise.all(requests.map(async (request) => await query(request)))
}

/** The daily count as one would write it, which counts copies. */
async function countPlainly({ store }: BenchService): Promise<void> {
  const result = await store.clickhouse.query({
    query: `SELECT toDate(time) AS day, toUInt32(count()) FROM events
      WHERE project = 1 AND toDate(time) >= '${dateOf(FRESH.fromMs)}' AND toDate(time) < '${dateOf(FRESH.toMs)}' AND kind = 'page_view' GROUP BY day`,
    format: 'JSONCompactEachRow',
  })
  const rows = await result.json<[day: string, count: number]>()
  strictEqual(
    rows.reduce((sum, [, count]) => sum + count, 0),
    PAGE_VIEWS,
  )
}

/** Until the service leaves the months alone: each is one part, or almost, since the engine may have merged most of it before. */
async function untilMerged(service: BenchService): Promise<void> {
  const endMs = monotonicMs() + WAIT_MS_MAX
  while (monotonicMs() < endMs) {
    const merged = (await listParts(service)).filter(({ level }) => level > 0)
    const rows = merged.reduce((sum, part) => sum + part.rows, 0)
    if (merged.length === MONTHS && rows >= PAGE_VIEWS * MERGED_SHARE_MIN) return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`the service did not merge the events within ${WAIT_MS_MAX / 1000} seconds`)
}

/** Asks until every day of every question is kept. */
async function untilKept(service: BenchService): Promise<void> {
  const days = [FRESH, MERGED].reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) / DAY_MS, 0)
  const endMs = monotonicMs() + KEPT_MS_MAX
  while (monotonicMs() < endMs) {
    for (const range of [FRESH, MERGED]) await askAll(service, range)
    const result = await service.store.clickhouse.query({
      query: 'SELECT toUInt32(uniqExact(spec, day)) AS kept FROM day_fills ARRAY JOIN days AS day',
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ readonly kept: number }>()
    if (row?.kept === days * QUESTIONS.length) return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`the service did not keep the days within ${KEPT_MS_MAX / 1000} seconds`)
}

interface FreshPart {
  readonly level: number
  readonly rows: number
}

/** The parts of the fresh events. */
async function listParts({ store }: BenchService): Promise<readonly FreshPart[]> {
  const result = await store.clickhouse.query({
    query: `SELECT level, toUInt32(rows) AS rows FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events'
      AND partition_id IN ('${monthOf(FRESH.fromMs)}', '${monthOf(FRESH.toMs - 1)}')`,
    format: 'JSONEachRow',
  })
  return await result.json<FreshPart>()
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function monthOf(ms: number): string {
  return dateOf(ms).slice(0, 7).replace('-', '')
}
