// What the web overview costs the engine: QueryOverview and eight tables over the traffic of the insights benchmark, each
// beside the best statement by hand, and all of them at once, as a page opens.
import { parseArgs } from 'node:util'
import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import {
  QueryOverviewRequestSchema,
  QueryOverviewResponseSchema,
  QueryTableRequestSchema,
  QueryTableResponseSchema,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { createRunQuery, type QueryLimits } from '../../src/query/sql/run.ts'
import { answerOverview } from '../../src/query/web/overview.ts'
import { answerTable } from '../../src/query/web/table.ts'
import { type VisitReading, VisitScans } from '../../src/query/web/visit-scans.ts'
import { parseOverview, parseTable } from '../../src/query/web/web-query.ts'
import type { Figures } from '../insights/figures.ts'
import { measureWays, type Outcome, type Way } from '../insights/measure.ts'
import { openWorld, type World } from '../insights/world/world.ts'
import { measureFold } from '../rig/fold-visits.ts'
import { runCommand } from '../rig/run-command.ts'
import { OVERVIEW_BY_HAND, RANGE, TABLES } from './by-hand.ts'
import {
  figuresOfOverview,
  figuresOfOverviewByHand,
  figuresOfTable,
  figuresOfTableByHand,
  type HandRow,
} from './web-figures.ts'

const USAGE = 'npm run bench:web -- [--data folder] [--events N] [--rounds N] [--threads N]'
const PROJECT = { projectId: asProjectId(1), projectTimeZone: 'UTC' }
const RUN_MS_MAX = 300_000

/** Shared by questions that are asked at once, as in the service. */
const scans = new VisitScans()

const LIMITS: QueryLimits = {
  timeoutSeconds: RUN_MS_MAX / 1000,
  memoryBytesMax: 8 * 1024 ** 3,
  readRowsMax: 1e12,
  resultRowsMax: 1_000_000,
  resultBytesMax: 256 * 1024 ** 2,
}

const ASKED: JsonObject = {
  timeRange: { from: new Date(RANGE.fromMs).toISOString(), to: new Date(RANGE.toMs).toISOString() },
  granularity: 'GRANULARITY_DAY',
}

await runCommand(USAGE, async (teardown) => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      events: { type: 'string', default: '20000000' },
      rounds: { type: 'string', default: '5' },
      threads: { type: 'string', default: '2' },
    },
  })
  const world = await openWorld(
    {
      plan: { events: Number(values.events), project: 1 },
      folder: values.data,
      threads: Number(values.threads),
      onProgress: (line) => process.stderr.write(`${line} ...\n`),
    },
    teardown,
  )
  await world.become('members')
  // The figures are those of a table of visits that is up to date; the cost of getting there is one of them.
  process.stdout.write(`${await measureFold(world)}\n`)
  await measureOverview(world, Number(values.rounds))
})

async function measureOverview(world: World, rounds: number): Promise<void> {
  const measuring = { rounds, enginePid: world.enginePid }
  const queries = queriesOf(world)
  let [oursMs, oursWallMs, handMs] = [0, 0, 0]
  for (const { name, ours, hand } of queries) {
    const [byHand, byService] = (await measureWays([hand, ours], measuring)).map(requireMeasured)
    if (!byHand || !byService) throw new Error('a way was lost')
    requireEqual(name, byHand.answer.figures, byService.answer.figures)
    oursMs += byService.cpuMs
    oursWallMs += byService.wallMs
    handMs += byHand.cpuMs
    print(name, { ...byService, handMs: byHand.cpuMs })
  }
  print('one after another', { cpuMs: oursMs, handMs, wallMs: oursWallMs })
  const [atOnce] = (await measureWays([allOf(queries.map(({ ours }) => ours))], measuring)).map(
    requireMeasured,
  )
  if (!atOnce) throw new Error('a way was lost')
  print('all at once', { ...atOnce, handMs })
}

interface Printed {
  readonly cpuMs: number
  readonly handMs: number
  readonly wallMs: number
}

function print(name: string, { cpuMs, handMs, wallMs }: Printed): void {
  const ratio = (cpuMs / handMs).toFixed(2)
  process.stdout.write(
    `${name}: ${Math.round(cpuMs)} ms of CPU, ${ratio} x by hand, answered in ${Math.round(wallMs)} ms\n`,
  )
}

interface WebQuery {
  readonly name: string
  readonly ours: Way
  readonly hand: Way
}

function queriesOf(world: World): readonly WebQuery[] {
  const tables = TABLES.map(({ dimension, hand }) => ({
    name: dimension.toLowerCase(),
    ours: serviceWay(world, async (reading) => await readTable(dimension, reading)),
    hand: handWay(world, hand, figuresOfTableByHand),
  }))
  const overview = {
    name: 'overview',
    ours: serviceWay(world, readOverview),
    hand: handWay(world, OVERVIEW_BY_HAND, figuresOfOverviewByHand),
  }
  return [overview, ...tables]
}

async function readOverview(reading: VisitReading): Promise<Figures> {
  const query = parseOverview(fromJson(QueryOverviewRequestSchema, ASKED), PROJECT)
  return figuresOfOverview(create(QueryOverviewResponseSchema, await answerOverview(query, [], reading)))
}

async function readTable(dimension: string, reading: VisitReading): Promise<Figures> {
  const asked = { ...ASKED, dimension: `DIMENSION_${dimension}` }
  const query = parseTable(fromJson(QueryTableRequestSchema, asked), PROJECT)
  return figuresOfTable(create(QueryTableResponseSchema, await answerTable(query, [], reading)))
}

function serviceWay({ clickhouse }: World, answer: (reading: VisitReading) => Promise<Figures>): Way {
  return {
    name: 'ours',
    run: async () => {
      let readRows = 0
      const runQuery = createRunQuery(clickhouse, LIMITS, {
        onCost: (cost) => {
          readRows += cost.readRows
        },
      })
      const run: VisitReading['run'] = async (query) => await runQuery(query, AbortSignal.timeout(RUN_MS_MAX))
      const figures = await answer({ run, scans })
      return { figures, readRows }
    },
  }
}

function handWay(
  { clickhouse }: World,
  query: string,
  figuresOf: (rows: readonly HandRow[]) => Figures,
): Way {
  return {
    name: 'by hand',
    run: async () => {
      const result = await clickhouse.query({
        query,
        format: 'JSONCompactEachRow',
        clickhouse_settings: { do_not_merge_across_partitions_select_final: 1 },
      })
      return { figures: figuresOf(await result.json<HandRow>()), readRows: 0 }
    },
  }
}

/** All ways at once. */
function allOf(ways: readonly Way[]): Way {
  return {
    name: 'all',
    run: async () => {
      await Promise.all(ways.map(async (way) => await way.run()))
      return { figures: new Map(), readRows: 0 }
    },
  }
}

function requireMeasured(outcome: Outcome): Extract<Outcome, { cpuMs: number }> {
  if ('failed' in outcome) throw new Error(outcome.failed)
  return outcome
}

/** Sums of means are rounded. */
function requireEqual(name: string, hand: Figures, ours: Figures): void {
  for (const key of new Set([...hand.keys(), ...ours.keys()])) {
    const [exact, answered] = [hand.get(key) ?? 0, ours.get(key) ?? 0]
    if (Math.abs(exact - answered) > 1e-9 * exact) {
      throw new Error(`${name}, ${key}: ${answered} instead of ${exact}`)
    }
  }
}
