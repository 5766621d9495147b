import { randomUUID } from 'node:crypto'
import type { ProjectId } from '../../src/contract/ids.ts'
import type { Event } from '../../src/pipeline/event/event.ts'
import { insertNative } from '../../src/store/clickhouse/client.ts'
import { EventsBlockBuilder } from '../../test/harness/native-twin/events-block.ts'
import { chunk } from '../corpus/fixtures.ts'
import type { BenchStore } from './store.ts'

/** Events as Native blocks of `rowsPerBlock` rows. */
export function encodeBlocks(project: ProjectId, events: readonly Event[], rowsPerBlock: number): Buffer[] {
  return chunk(events, rowsPerBlock).map((part) => {
    const builder = new EventsBlockBuilder()
    for (const event of part) builder.add(project, event)
    return builder.finish().bytes
  })
}

/** One INSERT as the service sends it. */
export async function insertBlocks(store: BenchStore, blocks: readonly Buffer[]): Promise<void> {
  await insertNative(store.clickhouse, { table: 'events', blocks, id: randomUUID() })
}
