import { strictEqual } from 'node:assert'
import { asProjectId, type ProjectId } from '../../src/contract/ids.ts'
import type { Event } from '../../src/pipeline/event/event.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { batchBodies, decodeEvents, FIXTURE_EVENTS, INGEST_RANGE, ingestEvents } from '../corpus/fixtures.ts'
import { encodeBlocks, insertBlocks } from '../rig/blocks.ts'
import { cpuMicrosPerEvent, PARSE_JSON, parseJsonWork, processCpuSeconds } from '../rig/cpu.ts'
import { type BenchStore, startStore, untilSettled } from '../rig/store.ts'
import { queryTrends, sumPoints, totalByDay } from '../rig/trends.ts'
import type { Teardown } from '../teardown.ts'

/** How rows reach the engine. */
interface Plan {
  readonly fixture: string
  readonly rowsPerInsert: number
  readonly rowsPerBlock: number
}

/** Ten INSERTs a round: the engine merges when ten parts have gathered, and each round is to have its share of that. */
const INSERTS_PER_ROUND = 10

const PLANS: readonly Plan[] = [
  { fixture: 'native-1k', rowsPerInsert: 1000, rowsPerBlock: 1000 },
  { fixture: 'native-10k', rowsPerInsert: 10_000, rowsPerBlock: 10_000 },
  { fixture: 'native-50k', rowsPerInsert: 50_000, rowsPerBlock: 50_000 },
  { fixture: 'native-100k', rowsPerInsert: 100_000, rowsPerBlock: 100_000 },
  { fixture: 'native-50k-blocks-of-100', rowsPerInsert: 50_000, rowsPerBlock: 100 },
]

/** INSERTs of Native blocks into a real engine: its CPU time, the merges that follow included. */
export const insertCases: readonly BenchCase[] = PLANS.map((plan) => ({
  name: `insert/${plan.fixture}`,
  unit: 'µs CPU/event',
  baseline: PARSE_JSON,
  rounds: 3,
  prepare: async (teardown) => await prepare(plan, teardown),
}))

async function prepare(plan: Plan, teardown: Teardown): Promise<MeasureRound> {
  const store = await startStore(teardown)
  const events = decodeEvents(ingestEvents(plan.rowsPerInsert))
  const baseline = parseJsonWork(batchBodies(100), FIXTURE_EVENTS)
  const rowsPerRound = INSERTS_PER_ROUND * plan.rowsPerInsert
  let inserts = 0
  return async () => {
    const baselineCost = await cpuMicrosPerEvent(baseline)
    const beforeSeconds = processCpuSeconds(store.enginePid)
    const projects = Array.from({ length: INSERTS_PER_ROUND }, () => asProjectId(++inserts))
    for (const project of projects) await insertOne(store, plan, { project, events })
    await untilSettled(store, inserts * plan.rowsPerInsert)
    const seconds = processCpuSeconds(store.enginePid) - beforeSeconds
    for (const project of projects) await checkStored(store, project, events.length)
    return { cost: (seconds * 1e6) / rowsPerRound, baseline: baselineCost }
  }
}

/** Repeated events would collapse, or count as a retry: each INSERT is a separate project. */
async function insertOne(
  store: BenchStore,
  plan: Plan,
  rows: { readonly project: ProjectId; readonly events: readonly Event[] },
): Promise<void> {
  await insertBlocks(store, encodeBlocks(rows.project, rows.events, plan.rowsPerBlock))
}

async function checkStored(store: BenchStore, project: ProjectId, acknowledged: number): Promise<void> {
  const stored = sumPoints(await queryTrends(store.run, project, totalByDay(INGEST_RANGE)))
  strictEqual(stored, acknowledged, `acknowledged ${acknowledged} rows, stored ${stored}`)
}
