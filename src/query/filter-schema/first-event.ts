import { create } from '@bufbuild/protobuf'
import { EmptySchema, TimestampSchema, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { ProjectId } from '../../contract/ids.ts'
import { findAnswer, type QueryCaller, type QueryPorts } from '../calls/query-call.ts'
import { int64Codec } from '../sql/codec.ts'
import { ALL_TIME, scopedEvents } from '../sql/events-table.ts'
import { type CompiledQuery, column, type Row, select } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'

const COLUMNS = { firstMs: column(int64Codec, sql`firstMs`) }

/** The time of the first event of a project; 0 without events. */
export function compileFirstEvent(projectId: ProjectId): CompiledQuery<Row<typeof COLUMNS>> {
  const first = sql`SELECT toUnixTimestamp64Milli(min(time)) AS firstMs ${scopedEvents({ projectId, ...ALL_TIME })}`
  return select(COLUMNS, sql`FROM (${first})`)
}

/** The time of the first event of a project from the answer cache or ClickHouse, in milliseconds; `undefined` without events. */
export async function readFirstEvent(ports: QueryPorts, caller: QueryCaller): Promise<number | undefined> {
  const { answer } = await findAnswer(ports, {
    ...caller,
    input: EmptySchema,
    output: TimestampSchema,
    request: create(EmptySchema),
    basis: 'first event',
    answer: async (run, { projectId }) => {
      const [row] = await run(compileFirstEvent(projectId))
      return timestampFromMs(row?.firstMs ?? 0)
    },
  })
  return timestampMs(answer) || undefined
}
