// Cost to the engine of a dashboard of twenty tiles that is asked again after a thousand new events, with its days and hours kept: against
// the same questions over events, in the same round.
import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import {
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import { CELLS_PER_FILL_MAX, DayKeeper, STORED_EVENTS_MIN } from '../../src/query/days/day-keeper.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { createInsertFound } from '../../src/query/sql/execute.ts'
import { createRunQuery } from '../../src/query/sql/run.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { readCellSpace } from '../../src/store/clickhouse/day-cells.ts'
import { CELLS_ID_PREFIX } from '../../src/store/clickhouse/running-folds.ts'
import { compareResponses } from '../../test/differential/compare.ts'
import { untilArrivalsCovered } from '../../test/harness/fold-visits.ts'
import { counted, createRequest } from '../insights/queries/create-request.ts'
import { openWorld, type World } from '../insights/world/world.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { runCommand } from '../rig/run-command.ts'
import { median } from '../summary.ts'

const PROJECT = 1
const ROUNDS = Number(process.argv[process.argv.indexOf('--rounds') + 1] ?? 3) || 3
const EVENTS = process.argv.includes('--events')
  ? Number(process.argv[process.argv.indexOf('--events') + 1])
  : 20_000_000
const FOLDER = process.argv.includes('--data') ? process.argv[process.argv.indexOf('--data') + 1] : undefined
/** How often the traffic of the plan is there, each time of other people: a larger world takes less time to make. */
const TIMES = process.argv.includes('--times') ? Number(process.argv[process.argv.indexOf('--times') + 1]) : 1
/** Whether the folder is one of `bench:growth`, which has people already. */
const IS_GROWN = process.argv.includes('--grown')
/** Whether the new events are late ones, of any hour of the last day, or those of its last hour. */
const ARE_LATE = process.argv.includes('--late')
const NEW_EVENTS = 1000
const LAST_DAY = '2026-10-20'

const LIMITS = {
  timeoutSeconds: 300,
  memoryBytesMax: 4 * 1024 ** 3,
  readRowsMax: 1e12,
  resultRowsMax: 1_000_000,
  resultBytesMax: 256 * 1024 * 1024,
}

function trend(events: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return createRequest({ insightType: 'TRENDS', events: [...events], ...more })
}

const by = (property: string): JsonObject => ({ breakdowns: [{ property }] })

function top(property: string, metric: string, metricProperty = ''): JsonObject {
  return createRequest({
    insightType: 'TOP_K',
    topK: {
      dimension: 'DIMENSION_PROPERTY',
      property,
      scope: { kind: 'page_view' },
      metric: `AGGREGATION_TYPE_${metric}`,
      metricProperty,
    },
  })
}

/** What a dashboard of a shop shows. */
const TILES: readonly JsonObject[] = [
  trend([counted('page_view', 'TOTAL')]),
  trend([counted('page_view', 'UNIQUE_USERS')]),
  trend([counted('', 'TOTAL')]),
  trend(['page_view', 'add_to_cart', 'purchase'].map((kind) => counted(kind, 'TOTAL'))),
  trend([counted('purchase', 'SUM', 'amount')]),
  trend([counted('purchase', 'AVG', 'amount')]),
  trend([counted('purchase', 'MAX', 'amount')]),
  trend([counted('page_view', 'PER_USER_AVG')]),
  trend([counted('page_view', 'TOTAL')], by('$channel')),
  trend([counted('page_view', 'TOTAL')], by('$browser')),
  trend([counted('page_view', 'TOTAL')], by('$pathname')),
  trend([counted('page_view', 'UNIQUE_USERS')], by('$country')),
  trend([counted('purchase', 'TOTAL')], by('$channel')),
  trend([counted('purchase', 'SUM', 'amount')], by('$country')),
  trend([counted('signup', 'TOTAL')]),
  trend([counted('error', 'TOTAL')]),
  createRequest({ insightType: 'SEGMENTATION', events: [counted('page_view', 'UNIQUE_USERS')] }),
  createRequest({ insightType: 'SEGMENTATION', events: [counted('purchase', 'SUM', 'amount')] }),
  top('$country', 'TOTAL'),
  top('$deviceType', 'UNIQUE_USERS'),
]

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

await runCommand(
  'npm run bench:kept -- [--events N] [--times N] [--rounds N] [--data folder [--grown]] [--late] [--each]',
  async (teardown) => {
    const world = await openWorld(
      {
        plan: { events: EVENTS, project: PROJECT },
        folder: FOLDER,
        threads: 2,
        onProgress: (line) => void process.stderr.write(`${line} ...\n`),
      },
      teardown,
    )
    if (!IS_GROWN) await world.become('members')
    await measure(world)
  },
)

async function measure(world: World): Promise<void> {
  const { clickhouse } = world
  for (let time = 1; time < TIMES; time++) await repeat(world, time)
  await untilArrivalsCovered(clickhouse)
  const failures: unknown[] = []
  const limits = { ...LIMITS, threadsMax: 1 }
  const keeper = new DayKeeper({
    insertFound: createInsertFound(clickhouse, limits, {
      idPrefix: CELLS_ID_PREFIX,
      groupsMax: CELLS_PER_FILL_MAX,
    }),
    readCellSpace: async (signal) => await readCellSpace(clickhouse, signal),
    storedBytesMax: 10 * 1024 ** 3,
    isBusy: () => false,
    storesFrom: 'first asking',
    stateMs: 1000,
    isOneNode: true,
    rowsMin: 0,
    storedEventsMin: STORED_EVENTS_MIN,
    lagMs: 0,
    retentionDays: 0,
    log: { debug: (fields: unknown) => void failures.push(fields) },
  })
  const runQuery = createRunQuery(clickhouse, LIMITS)
  let rowCount = 0
  const direct: QueryRunner = async (query) =>
    await runQuery(query, AbortSignal.timeout(300_000), ({ readRows }) => {
      rowCount += readRows
    })
  const kept: QueryRunner = async (query) =>
    query.days
      ? await keeper.answer({ ...query, days: query.days }, direct, () => rowCount)
      : await direct(query)
  await askAll(direct)
  const keep = async (): Promise<Cost> => {
    await untilArrivalsCovered(clickhouse)
    return await costOf(world, async () => {
      await askAll(kept)
      await keeper.settle()
    })
  }
  const filled = await keep()
  const { storedBytes } = await readCellSpace(clickhouse, AbortSignal.timeout(60_000))
  process.stdout.write(
    `asked, and its days kept: ${render(filled)}; ${(storedBytes / 1e6).toFixed(0)} MB of cells\n`,
  )
  // The days of the world are over. Now the last one has changed after it was kept, and is kept by hours as the day of today is.
  await arrive(world)
  process.stdout.write(`the last day kept by hours: ${render(await keep())}\n`)
  if (failures.length > 0) throw new Error(`days could not be kept: ${JSON.stringify(failures[0])}`)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await arrive(world)
    const whole = await costOf(world, async () => await askAll(direct))
    const part = await costOf(world, async () => await askAll(kept))
    const differences = part.result.flatMap((actual, index) => {
      const expected = whole.result[index]
      return expected ? compareResponses({ expected, actual }) : ['no answer']
    })
    if (differences.length > 0) throw new Error(`answers differ: ${differences[0]}`)
    ratios.push(part.cpuMs / whole.cpuMs)
    process.stdout.write(
      `from events ${render(whole)}, from kept days ${render(part)}: ${(part.cpuMs / whole.cpuMs).toFixed(3)} of the CPU\n`,
    )
  }
  process.stdout.write(`median: ${median(ratios).toFixed(3)} of the CPU\n`)
  if (process.argv.includes('--each')) await measureEach(world, direct, kept)
}

async function measureEach(world: World, direct: QueryRunner, kept: QueryRunner): Promise<void> {
  for (const tile of TILES) {
    const whole = await costOf(world, async () => await ask(tile, direct))
    const part = await costOf(world, async () => await ask(tile, kept))
    process.stdout.write(`${render(whole)} ${render(part)} ${JSON.stringify(tile.spec).slice(0, 150)}\n`)
  }
}

async function askAll(run: QueryRunner): Promise<QueryResponse[]> {
  const answers: QueryResponse[] = []
  for (const tile of TILES) answers.push(await ask(tile, run))
  return answers
}

async function ask(tile: JsonObject, run: QueryRunner): Promise<QueryResponse> {
  const request = fromJson(QueryRequestSchema, tile)
  const insight = prepareInsight(request, { projectId: asProjectId(PROJECT), projectTimeZone: 'UTC' })
  return create(QueryResponseSchema, await insight.answer(run))
}

/** The whole traffic once more, of other people. */
async function repeat({ clickhouse }: World, time: number): Promise<void> {
  const others = `generateUUIDv4() AS event_id, concat('${time}~', distinct_id) AS distinct_id`
  const query = `INSERT INTO events SELECT * REPLACE (${others}) FROM (
    SELECT * FROM events WHERE project = ${PROJECT} AND position(distinct_id, '~') = 0)`
  await clickhouse.command({ query, clickhouse_settings: { max_insert_block_size: '1000000' } })
}

/** Events of the last hour, or of any hours of the last day, once more as others. */
async function arrive({ clickhouse }: World): Promise<void> {
  const hours = ARE_LATE ? '' : ' AND toHour(time) = 23'
  const query = `INSERT INTO events SELECT * EXCEPT (ingested) REPLACE (generateUUIDv4() AS event_id), now64(3) AS ingested FROM events
    WHERE project = ${PROJECT} AND toDate(time) = '${LAST_DAY}'${hours} ORDER BY rand() LIMIT ${NEW_EVENTS}`
  await clickhouse.command({ query })
}

async function costOf<T>(
  { enginePid }: World,
  work: () => Promise<T>,
): Promise<Cost & { readonly result: T }> {
  const [cpuSeconds, startMs] = [processCpuSeconds(enginePid), monotonicMs()]
  const result = await work()
  return {
    result,
    wallMs: monotonicMs() - startMs,
    cpuMs: (processCpuSeconds(enginePid) - cpuSeconds) * 1000,
  }
}

function render({ wallMs, cpuMs }: Cost): string {
  return `${Math.round(cpuMs)} ms of CPU (${Math.round(wallMs)} ms)`
}
