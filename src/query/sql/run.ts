import { ClickHouseError } from '@clickhouse/client'
import { ServiceError } from '../../contract/service-error.ts'
import { counter, durationHistogram } from '../../kernel/metrics.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { toClusterStatement } from '../../store/clickhouse/cluster.ts'
import { startStatementSpan } from '../../store/clickhouse/statement-span.ts'
import { toInterruption } from './interruption.ts'
import type { CompiledQuery } from './select.ts'
import { render, type Statement } from './sql.ts'
import { checkStatement } from './statement-size.ts'

/** The bounds of one query. */
export interface QueryLimits {
  readonly timeoutSeconds: number
  readonly memoryBytesMax: number
  readonly readRowsMax: number
  readonly resultRowsMax: number
  readonly resultBytesMax: number
  /** Threads of one statement; as many as ClickHouse chooses when absent. */
  readonly threadsMax?: number
}

/** The cost of a finished query, by ClickHouse's own counters. */
export interface QueryCost {
  readonly statement: Statement
  readonly readRows: number
  readonly readBytes: number
  /** In ClickHouse, in milliseconds. */
  readonly elapsedMs: number
}

/** Optional behaviour of {@link createRunQuery}. */
export interface RunOptions {
  /** Called for every query that succeeded; answers then wait for the counters to be final. */
  readonly onCost?: (cost: QueryCost) => void
}

/**
 * Runs a query and decodes its rows; aborting the signal stops it in ClickHouse too. `report` receives its
 * cost as of the start of the answer, which is the whole cost of a statement that groups or sorts.
 */
export type RunQuery = <R>(
  query: CompiledQuery<R>,
  signal: AbortSignal,
  report?: (cost: QueryCost) => void,
) => Promise<R[]>

/** ClickHouse error codes of a query that exceeds its limits. */
const TOO_EXPENSIVE: ReadonlySet<string> = new Set(['158', '241', '307', '395', '396'])
/** No database or no table: the store is not prepared yet. */
const NOT_PREPARED: ReadonlySet<string> = new Set(['60', '81'])
/**
 * The server is shutting down, a shard does not respond, or its only replicas lag too far behind. A partial answer would be
 * wrong.
 */
const SHARD_AWAY: ReadonlySet<string> = new Set(['32', '209', '210', '236', '279', '369', '519'])
const TIMED_OUT: ReadonlySet<string> = new Set(['159', '160'])

const querySeconds = durationHistogram('millrace_query_seconds', 'Queries to ClickHouse, by outcome.', [
  'outcome',
])

const readRows = counter(
  'millrace_query_read_rows_total',
  'Rows that queries read in ClickHouse, as of the start of each answer.',
)
const readBytes = counter(
  'millrace_query_read_bytes_total',
  'Bytes that queries read in ClickHouse, before compression, as of the start of each answer.',
)

/** Creates the only function that queries ClickHouse: read-only, bounded and cancellable. */
export function createRunQuery(
  clickhouse: ClickHouse,
  limits: QueryLimits,
  { onCost }: RunOptions = {},
): RunQuery {
  return async (query, signal, report) => {
    // The client does not notice a signal that has aborted already.
    if (signal.aborted) throw toInterruption(signal.reason, undefined)
    const { text: written, params } = render(query.statement)
    const text = toClusterStatement(clickhouse, written)
    const statement: Statement = { text, params }
    checkStatement(statement)
    const seconds = querySeconds.startTimer()
    const span = startStatementSpan('SELECT')
    try {
      const result = await clickhouse.query({
        query: text,
        format: 'JSONCompactEachRow',
        abort_signal: signal,
        query_params: params,
        clickhouse_settings: { ...querySettings(limits), ...(onCost ? { wait_end_of_query: 1 } : {}) },
      })
      const rows = (await result.json<unknown[]>()).map((cells) => query.decode(cells))
      const cost = readSummary(result.response_headers['x-clickhouse-summary'])
      for (const listen of [onCost, report]) listen?.({ statement, ...cost })
      readRows.inc(cost.readRows)
      readBytes.inc(cost.readBytes)
      seconds({ outcome: 'ok' })
      span?.set({ 'db.response.returned_rows': rows.length, 'millrace.query.read_rows': cost.readRows })
      span?.end('ok')
      return rows
    } catch (error) {
      const translated = translateFailure(error, signal, limits)
      const outcome = translated instanceof ServiceError ? translated.code : 'internal'
      seconds({ outcome })
      span?.end(outcome)
      throw translated
    }
  }
}

function readSummary(header: string | string[] | undefined): Omit<QueryCost, 'statement'> {
  const summary: Readonly<Record<string, string>> = JSON.parse(String(header ?? '{}'))
  return {
    readRows: Number(summary.read_rows ?? 0),
    readBytes: Number(summary.read_bytes ?? 0),
    elapsedMs: Number(summary.elapsed_ns ?? 0) / 1e6,
  }
}

/** The settings that bound a statement; it can only read. */
export function querySettings(limits: QueryLimits): Record<string, string | number> {
  return {
    readonly: '2',
    // A funnel is a subquery for each step; the length of the text limits the depth.
    max_parser_depth: '4000',
    max_ast_elements: '500000',
    max_expanded_ast_elements: '2000000',
    max_execution_time: limits.timeoutSeconds,
    max_memory_usage: String(limits.memoryBytesMax),
    max_rows_to_read: String(limits.readRowsMax),
    read_overflow_mode: 'throw',
    max_result_bytes: String(limits.resultBytesMax),
    max_result_rows: String(limits.resultRowsMax),
    result_overflow_mode: 'throw',
    cancel_http_readonly_queries_on_client_close: 1,
    do_not_merge_across_partitions_select_final: 1,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_denormals: 1,
    ...(limits.threadsMax === undefined ? {} : { max_threads: limits.threadsMax }),
  }
}

/** The error of a statement as the service answers it; others are returned as they are. */
export function translateFailure(error: unknown, signal: AbortSignal, limits: QueryLimits): unknown {
  if (signal.aborted) return toInterruption(signal.reason, error)
  if (error instanceof ClickHouseError && !NOT_PREPARED.has(error.code) && !SHARD_AWAY.has(error.code)) {
    if (TIMED_OUT.has(error.code)) {
      const message = `the query ran longer than ${limits.timeoutSeconds} s; narrow the query`
      return new ServiceError({ code: 'deadline_exceeded', reason: 'QUERY_TIMEOUT', message, cause: error })
    }
    if (TOO_EXPENSIVE.has(error.code)) {
      const message = 'the query exceeds its limit of memory or rows; narrow the query'
      return new ServiceError({
        code: 'resource_exhausted',
        reason: 'QUERY_TOO_EXPENSIVE',
        message,
        cause: error,
      })
    }
    return error
  }
  const message = 'the store cannot be reached; try again'
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message,
    cause: error,
    retryAfterSeconds: 1,
  })
}
