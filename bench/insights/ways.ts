import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import { QueryRequestSchema } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { createRunQuery, type RunQuery } from '../../src/query/sql/run.ts'
import { render } from '../../src/query/sql/sql.ts'
import { figuresOf, figuresOfRows } from './figures.ts'
import type { Way } from './measure.ts'
import type { World } from './world/world.ts'

const TIMEOUT_SECONDS = 300

const LIMITS = {
  timeoutSeconds: TIMEOUT_SECONDS,
  memoryBytesMax: 8 * 1024 ** 3,
  readRowsMax: 1e12,
  resultRowsMax: 10_000_000,
  resultBytesMax: 1024 ** 3,
}

/** The service's own query code: parse, compile, run, shape. */
export function queryService({ clickhouse, plan }: World, request: JsonObject): Way {
  return serviceWay('ours', { request, project: plan.project }, (readRows) =>
    createRunQuery(clickhouse, LIMITS, { onCost: (cost) => readRows(cost.readRows) }),
  )
}

/** The service's statements with copies of events left in. */
export function queryWithoutFinal({ clickhouse, plan }: World, request: JsonObject): Way {
  return serviceWay('without FINAL', { request, project: plan.project }, (readRows) => async (query) => {
    const { text, params } = render(query.statement)
    const rows = await readCells(clickhouse, { query: text.replaceAll(' FINAL ', ' '), params })
    readRows(rows.readRows)
    return rows.cells.map((cells) => query.decode(cells))
  })
}

/** A statement that is written down, with the settings that the service sends. */
export function runSql(
  { clickhouse }: World,
  { name, sql }: { readonly name: string; readonly sql: string },
): Way {
  return {
    name,
    run: async () => {
      const { cells, readRows } = await readCells(clickhouse, { query: sql, params: {} })
      return { figures: figuresOfRows(cells), readRows }
    },
  }
}

function serviceWay(
  name: string,
  { request, project }: { readonly request: JsonObject; readonly project: number },
  createRun: (onRows: (count: number) => void) => RunQuery,
): Way {
  return {
    name,
    run: async () => {
      let readRows = 0
      const runQuery = createRun((count) => {
        readRows += count
      })
      const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000)
      const context = { projectId: asProjectId(project), projectTimeZone: 'UTC' }
      const insight = prepareInsight(fromJson(QueryRequestSchema, request), context)
      const answer = await insight.answer(async (query) => await runQuery(query, signal))
      return { figures: figuresOf(answer), readRows }
    },
  }
}

async function readCells(
  clickhouse: World['clickhouse'],
  { query, params }: { readonly query: string; readonly params: Readonly<Record<string, unknown>> },
): Promise<{ readonly cells: readonly unknown[][]; readonly readRows: number }> {
  const result = await clickhouse.query({
    query,
    format: 'JSONCompactEachRow',
    query_params: { ...params },
    clickhouse_settings: {
      max_execution_time: TIMEOUT_SECONDS,
      max_memory_usage: String(LIMITS.memoryBytesMax),
      do_not_merge_across_partitions_select_final: 1,
      output_format_json_quote_64bit_integers: 1,
      output_format_json_quote_denormals: 1,
      wait_end_of_query: 1,
    },
  })
  const cells = await result.json<unknown[]>()
  const summary: { readonly read_rows?: string } = JSON.parse(
    String(result.response_headers['x-clickhouse-summary'] ?? '{}'),
  )
  return { cells, readRows: Number(summary.read_rows ?? 0) }
}
