import type { Readable } from 'node:stream'
import { render, type Sql } from '../../query/sql/sql.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { TEXT_SETTINGS } from './event-text.ts'

/** A reader that stops reading, such as a pager, holds a query that long. */
export const STALL_SECONDS_MAX = 600

/** Bounds what one slice may take of the engine; it is read in order, a few blocks at a time. */
const MEMORY_BYTES_MAX = 4 * 1024 ** 3

/** Asks for the bytes of a slice as they come; an error on the way breaks the stream. */
export async function readSlice(
  clickhouse: ClickHouse,
  statement: Sql,
  signal: AbortSignal,
): Promise<Readable> {
  const { text, params } = render(statement)
  const { stream } = await clickhouse.exec({
    query: text,
    query_params: { ...params },
    abort_signal: signal,
    clickhouse_settings: {
      ...TEXT_SETTINGS,
      readonly: '2',
      max_memory_usage: String(MEMORY_BYTES_MAX),
      do_not_merge_across_partitions_select_final: 1,
      output_format_json_quote_64bit_integers: 1,
      cancel_http_readonly_queries_on_client_close: 1,
      http_send_timeout: STALL_SECONDS_MAX,
      http_receive_timeout: STALL_SECONDS_MAX,
    },
  })
  return stream
}
