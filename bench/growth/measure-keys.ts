// What the number of projects costs ingestion: the same requests with the keys of more and more projects in turn, to one service and in
// rounds, so that all of them see the same machine.
import { parseArgs } from 'node:util'
import { describeMachine, measureMachine } from '../rig/machine.ts'
import { runCommand } from '../rig/run-command.ts'
import type { BenchService } from '../rig/service.ts'
import { startOnWorld } from '../rig/twenty-tiles.ts'
import { median } from '../summary.ts'
import { renderValue } from './growth-table.ts'
import { type Sent, sendUntilStored } from './ingestion.ts'
import { createProjects } from './projects.ts'

const USAGE = 'npm run bench:keys -- [--rounds 3]'
const PROJECTS = 2000

/** Whose requests they are. The first two differ only by their users: as many as those of many projects have together. */
const SENDERS: readonly { readonly projects: number; readonly users: Sent['users'] }[] = [
  { projects: 1, users: 'shared' },
  { projects: 1, users: 'own' },
  { projects: 20, users: 'shared' },
  { projects: 200, users: 'shared' },
  { projects: PROJECTS, users: 'shared' },
]

/** Few requests with many events, and many with one. */
const SIZES: readonly Pick<Sent, 'batch' | 'requests'>[] = [
  { batch: 100, requests: 1000 },
  { batch: 1, requests: 6000 },
]

/** Of one event. */
interface Cost {
  readonly edgeMicros: number
  readonly storeMicros: number
  readonly nameRows: number
}

await runCommand(USAGE, async (teardown) => {
  const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '3' } } }).values.rounds)
  const folder = teardown.temporaryFolder()
  const { keys } = await createProjects(folder, PROJECTS)
  const service = await startOnWorld(teardown, folder)
  const ways = SIZES.flatMap((size) => SENDERS.map((sender) => ({ ...size, ...sender, costs: [] as Cost[] })))
  await sendUntilStored(service, { keys: [], requests: 200, batch: 100, users: 'shared' })
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) {
      const cost = await costOf(service, { ...way, keys: keys.slice(0, way.projects) })
      way.costs.push(cost)
      process.stderr.write(`${[way.batch, way.projects, way.users, ...cellsOf([cost])].join(' ')}\n`)
    }
  }
  process.stdout.write(
    '| events of a request | projects | users | edge | store | rows of names |\n|---|---|---|---|---|---|\n',
  )
  for (const { batch, projects, users, costs } of ways) {
    process.stdout.write(`| ${[batch, projects, users, ...cellsOf(costs)].join(' | ')} |\n`)
  }
  process.stdout.write(`\n${describeMachine(await measureMachine())}\n`)
})

/** The middle of each figure. */
function cellsOf(costs: readonly Cost[]): readonly string[] {
  return (['edgeMicros', 'storeMicros', 'nameRows'] as const).map((name) =>
    renderValue(median(costs.map((cost) => cost[name]))),
  )
}

async function costOf(service: BenchService, sent: Sent): Promise<Cost> {
  const [before, namesBefore] = [service.cpuSeconds(), await countNameRows(service)]
  await sendUntilStored(service, sent)
  const [after, namesAfter] = [service.cpuSeconds(), await countNameRows(service)]
  const events = sent.requests * sent.batch
  const microsOf = (role: string): number =>
    (((after.get(role) ?? 0) - (before.get(role) ?? 0)) * 1e6) / events
  return {
    edgeMicros: microsOf('edge'),
    storeMicros: microsOf('store'),
    nameRows: (namesAfter - namesBefore) / events,
  }
}

/** Rows of names that INSERTs have written so far, to the two tables that name kinds and properties. */
async function countNameRows({ store: { clickhouse } }: BenchService): Promise<number> {
  await clickhouse.command({ query: 'SYSTEM FLUSH LOGS part_log' })
  const result = await clickhouse.query({
    query: `SELECT toFloat64(sum(rows)) AS rows FROM system.part_log
      WHERE event_type = 'NewPart' AND database = currentDatabase() AND table IN ('name_days', 'names')`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ readonly rows: number }>())[0]?.rows ?? 0
}
