import type { Readable } from 'node:stream'
import { render, type Sql } from '../../query/sql/sql.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { TEXT_SETTINGS } from './event-text.ts'

/** Time that a query waits for a consumer that stops reading, such as a pager. */
export const STALL_SECONDS_MAX = 600

/** The client's limit on header size allows about eighty progress headers. */
const PROGRESS_EVERY_MS = 60_000

/** Memory limit of one slice in the engine. */
const MEMORY_BYTES_MAX = 4 * 1024 ** 3

/** Beyond this size, the engine sorts in temporary files: a day may have any number of events. */
const SORT_BYTES_MAX = 512 * 1024 ** 2

/** Streams the bytes of a slice; an error after the first byte destroys the stream. */
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
      max_bytes_before_external_sort: String(SORT_BYTES_MAX),
      max_bytes_ratio_before_external_sort: 0,
      // Reading in table order would sort all events of one kind and day in memory, without a limit.
      optimize_read_in_order: 0,
      do_not_merge_across_partitions_select_final: 1,
      output_format_json_quote_64bit_integers: 1,
      cancel_http_readonly_queries_on_client_close: 1,
      // The first byte is sent when a whole day is sorted; until then, progress headers keep the connection alive.
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: String(PROGRESS_EVERY_MS),
      http_send_timeout: STALL_SECONDS_MAX,
      http_receive_timeout: STALL_SECONDS_MAX,
    },
  })
  return stream
}
