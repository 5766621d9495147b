import { asProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import type { BenchCase, MeasureRound } from '../case.ts'
import { generateEvents } from '../corpus/events.ts'
import { decodeEvents, INGEST_RANGE } from '../corpus/fixtures.ts'
import { TRAFFIC_RANGE } from '../insights/world/traffic.ts'
import { encodeBlocks, insertBlocks } from '../rig/blocks.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { type BenchStore, startStore } from '../rig/store.ts'
import type { Teardown } from '../teardown.ts'

/** The times of the events of an INSERT: live traffic, and an import. */
const RANGES = { 'an-hour': INGEST_RANGE, 'sixty-days': TRAFFIC_RANGE } as const

const ROWS = 20_000
const INSERTS = 3
const SEED = 20260120
const VIEW = 'day_arrivals_of_events'

/** INSERTs with and without the view that counts the arrivals of days (docs/adr/0021), without the merges that follow. */
export const arrivalsCases: readonly BenchCase[] = Object.entries(RANGES).map(([name, range]) => ({
  name: `arrivals/${name}`,
  unit: 'µs CPU/event',
  baseline: 'the same INSERTs without the view',
  rounds: 6,
  prepare: async (teardown) => await prepare(range, teardown),
}))

async function prepare(
  range: { readonly fromMs: number; readonly toMs: number },
  teardown: Teardown,
): Promise<MeasureRound> {
  const store = await startStore(teardown)
  const events = decodeEvents(generateEvents(new Prng(SEED), { count: ROWS, ...range }))
  let inserts = 0
  const insert = async (): Promise<number> => {
    const blocks = Array.from({ length: INSERTS }, () => {
      // Repeated events would collapse, or count as a retry.
      return encodeBlocks(asProjectId(++inserts), events, ROWS)
    })
    const before = processCpuSeconds(store.enginePid)
    for (const ofInsert of blocks) await insertBlocks(store, ofInsert)
    return ((processCpuSeconds(store.enginePid) - before) * 1e6) / (INSERTS * ROWS)
  }
  // Merges of the INSERTs before would count for those that follow.
  await store.clickhouse.command({ query: 'SYSTEM STOP MERGES' })
  return async () => {
    // In both orders, because what follows finds more parts.
    const first = await insert()
    await setView(store, 'DETACH')
    const without = (await insert()) + (await insert())
    await setView(store, 'ATTACH')
    return { cost: (first + (await insert())) / 2, baseline: without / 2 }
  }
}

async function setView({ clickhouse }: BenchStore, change: 'DETACH' | 'ATTACH'): Promise<void> {
  await clickhouse.command({ query: `${change} TABLE ${VIEW}` })
}
