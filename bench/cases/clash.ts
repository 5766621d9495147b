import { strictEqual } from 'node:assert'
import { asProjectId } from '../../src/contract/ids.ts'
import { decodeBatchJsonSlow } from '../../src/pipeline/decode/json-slow.ts'
import { ByteColumn } from '../../src/pipeline/encode/byte-column.ts'
import { EventColumns } from '../../src/pipeline/encode/event-columns.ts'
import { type IdentityColumns, RecentEventIds } from '../../src/pipeline/encode/recent-event-ids.ts'
import type { BenchCase } from '../case.ts'
import { inProcessCase } from './in-process.ts'

const CONTEXT = { projectId: asProjectId(1), requestIndex: 0 }

interface Batch {
  readonly columns: IdentityColumns
  readonly rowCount: number
}

/** Looking for ids that come again with other content, alone; the ids are others in every run, as in real traffic. */
export const clashCases: readonly BenchCase[] = ([100, 1000] as const).map((size) =>
  inProcessCase({
    name: `clash/batch-${size}`,
    size,
    prepare: async (bodies) => {
      const batches = bodies.map(readBatch)
      const recent = new RecentEventIds()
      let run = 0
      return () => {
        run++
        let clashes = 0
        for (const { columns, rowCount } of batches) {
          for (let row = 0; row < rowCount; row++) columns.eventIds[row * 4 + 2] = Math.imul(run, 2 * row + 1)
          clashes += recent.countClashes(columns, rowCount)
        }
        strictEqual(clashes, 0)
      }
    },
  }),
)

function readBatch(body: Buffer): Batch {
  const columns = new EventColumns()
  const batches: Batch[] = []
  for (const event of decodeBatchJsonSlow(body)) columns.addEvent(event, CONTEXT)
  columns.finish({ inspect: (of, rowCount) => batches.push({ columns: copyColumns(of), rowCount }) })
  const [batch] = batches
  if (!batch) throw new Error('the columns were not shown')
  return batch
}

function copyColumns({ kinds, distinctIds, ...numbers }: IdentityColumns): IdentityColumns {
  return {
    projects: numbers.projects.slice(),
    times: numbers.times.slice(),
    eventIds: numbers.eventIds.slice(),
    kinds: copyColumn(kinds),
    distinctIds: copyColumn(distinctIds),
  }
}

function copyColumn(from: ByteColumn): ByteColumn {
  const to = new ByteColumn(from.length)
  to.copy(from, 0, from.length)
  return to
}
