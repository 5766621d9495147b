import { fileURLToPath } from 'node:url'

/** Cost of one event by batch size: µs of CPU time, from `e2e/json-batch-N` in README.md. */
export const COSTS = {
  1: { edgeMicros: 22.14, storeMicros: 2.34 },
  10: { edgeMicros: 5.66, storeMicros: 1.41 },
  100: { edgeMicros: 3.17, storeMicros: 2.08 },
} as const

/** Of all tables with the views and visits, at 20 million events: docs/growth.md has how. `events` alone takes 88, the rows of docs/adr/0002 took 74. */
const BYTES_PER_EVENT = 130

/** Assumptions: change them to those of your machines. */
const MACHINE = { cores: 8, diskBytes: 8e12 }
/** Share of a machine that ingestion may take at its peak: the rest is for queries, merges and the loss of a neighbour. */
const BUSY_SHARE_MAX = 0.5
const FULL_SHARE_MAX = 0.7
/** Average load over a day as a share of its peak. */
const AVERAGE_SHARE = 0.25
/** Copies of a row when there is more than one node. Each of them merges for itself. */
const REPLICAS = 2
/** A row that comes to one node and belongs to another is taken twice. Two shards measured 1.12 (docs/growth.md), which leaves room for more of them. */
const FORWARD_FACTOR = 1.5

type BatchSize = keyof typeof COSTS

/** The capacity of a number of machines. */
export interface Capacity {
  readonly nodes: number
  readonly batch: number
  readonly edges: number
  readonly stores: number
  readonly eventsPerSecond: number
  readonly bottleneck: 'edge' | 'store' | 'one machine'
  readonly diskBytesPerDay: number
  readonly daysUntilFull: number
}

/** Parts machines into edges and store nodes so that they ingest the most, and names the bottleneck. */
export function computeCapacity(nodes: number, batch: BatchSize): Capacity {
  if (nodes === 1) return describe({ nodes, batch, edges: 1, stores: 1 })
  const splits = Array.from({ length: Math.floor((nodes - 1) / REPLICAS) }, (_, index) => {
    const stores = (index + 1) * REPLICAS
    return describe({ nodes, batch, stores, edges: nodes - stores })
  })
  return splits.reduce((best, split) => (split.eventsPerSecond > best.eventsPerSecond ? split : best))
}

interface Split {
  readonly nodes: number
  readonly batch: BatchSize
  readonly edges: number
  readonly stores: number
}

function describe(split: Split): Capacity {
  const { nodes, batch, edges, stores } = split
  const { edgeMicros, storeMicros } = COSTS[batch]
  const microsPerSecond = MACHINE.cores * BUSY_SHARE_MAX * 1e6
  const isOne = nodes === 1
  const copies = isOne ? 1 : REPLICAS
  const edge = (edges * microsPerSecond) / edgeMicros
  const store = (stores * microsPerSecond) / (storeMicros * copies * (isOne ? 1 : FORWARD_FACTOR))
  const eventsPerSecond = isOne ? microsPerSecond / (edgeMicros + storeMicros) : Math.min(edge, store)
  const diskBytesPerDay = (eventsPerSecond * AVERAGE_SHARE * 86_400 * BYTES_PER_EVENT * copies) / stores
  return {
    ...split,
    eventsPerSecond,
    bottleneck: isOne ? 'one machine' : edge < store ? 'edge' : 'store',
    diskBytesPerDay,
    daysUntilFull: (MACHINE.diskBytes * FULL_SHARE_MAX) / diskBytesPerDay,
  }
}

/** The table of docs/scale-out.md. */
export function renderCapacityTable(): string {
  const rows = [1, 10, 100].flatMap((nodes) =>
    ([1, 10, 100] as const).map((batch) => renderRow(computeCapacity(nodes, batch))),
  )
  return [
    '| machines | events per request | edges + store nodes | events/s at peak | bottleneck | disk per day and store node | days until 70 % full |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function renderRow(capacity: Capacity): string {
  const { nodes, batch, edges, stores, eventsPerSecond, bottleneck, diskBytesPerDay, daysUntilFull } =
    capacity
  const split = nodes === 1 ? 'all on one' : `${edges} + ${stores}`
  const rate = (Math.round(eventsPerSecond / 1000) * 1000).toLocaleString('en-US')
  const disk = `${(diskBytesPerDay / 1e9).toFixed(0)} GB`
  return `| ${[nodes, batch, split, rate, bottleneck, disk, Math.floor(daysUntilFull)].join(' | ')} |`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${renderCapacityTable()}\n`)
