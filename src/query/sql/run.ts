import { ClickHouseError } from '@clickhouse/client'
import { Code, ConnectError } from '@connectrpc/connect'
import { ServiceError } from '../../contract/service-error.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import type { Query } from './select.ts'
import { render } from './sql.ts'

/** The bounds of one query. */
export interface QueryLimits {
  readonly timeoutSeconds: number
  readonly memoryBytesMax: number
  readonly resultRowsMax: number
}

/** Runs a query and decodes its rows; aborting the signal stops it in ClickHouse too. */
export type RunQuery = <R>(query: Query<R>, signal: AbortSignal) => Promise<R[]>

/** ClickHouse error codes that mean: the question needs more than it may have. */
const TOO_EXPENSIVE: ReadonlySet<string> = new Set(['158', '241', '307', '396'])
const TIMED_OUT: ReadonlySet<string> = new Set(['159', '160'])

/** Creates the one way in which questions reach ClickHouse: read-only, bounded and cancellable. */
export function createRunQuery(clickhouse: ClickHouse, limits: QueryLimits): RunQuery {
  return async (query, signal) => {
    const { text, params } = render(query.statement)
    try {
      const result = await clickhouse.query({
        query: text,
        format: 'JSONCompactEachRow',
        abort_signal: signal,
        query_params: params,
        clickhouse_settings: querySettings(limits),
      })
      return (await result.json<unknown[]>()).map((cells) => query.decode(cells))
    } catch (error) {
      throw translate(error, signal, limits)
    }
  }
}

function querySettings(limits: QueryLimits): Record<string, string | number> {
  return {
    readonly: '2',
    max_execution_time: limits.timeoutSeconds,
    max_memory_usage: String(limits.memoryBytesMax),
    max_result_rows: String(limits.resultRowsMax),
    result_overflow_mode: 'throw',
    cancel_http_readonly_queries_on_client_close: 1,
    do_not_merge_across_partitions_select_final: 1,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_denormals: 1,
  }
}

function translate(error: unknown, signal: AbortSignal, limits: QueryLimits): unknown {
  if (signal.aborted) return toInterruption(signal.reason, error)
  if (error instanceof ClickHouseError) {
    if (TIMED_OUT.has(error.code)) {
      const message = `the query ran longer than ${limits.timeoutSeconds} s; ask for less`
      return new ServiceError({ code: 'deadline_exceeded', reason: 'QUERY_TIMEOUT', message, cause: error })
    }
    if (TOO_EXPENSIVE.has(error.code)) {
      const message = 'the query needs more memory or rows than it may have; ask for less'
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

/** The client left, or its own time limit is over: the library aborts for both, and the reason tells which. */
function toInterruption(reason: unknown, cause: unknown): ServiceError {
  if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) {
    const message = 'the call took longer than its timeout'
    return new ServiceError({ code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message, cause })
  }
  return new ServiceError({ code: 'canceled', reason: 'CANCELED', message: 'the call was cancelled', cause })
}
