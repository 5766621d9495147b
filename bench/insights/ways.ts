import { create, fromJson } from '@bufbuild/protobuf'
import { CohortDefinitionSchema } from '../../src/contract/gen/millrace/cohorts/v1/cohort_pb.js'
import {
  VisitsServiceListRequestSchema,
  VisitsServiceListResponseSchema,
} from '../../src/contract/gen/millrace/web/v1/visits_service_pb.js'
import { QueryRequestSchema } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { type CohortLookup, NO_COHORT } from '../../src/domain/insights/cohort-filters.ts'
import { parseDefinition } from '../../src/domain/insights/parse-cohort.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { createRunQuery, type RunQuery } from '../../src/query/sql/run.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { render } from '../../src/query/sql/sql.ts'
import { listVisits } from '../../src/query/visits/list-visits.ts'
import type { BenchmarkQuery } from './benchmark-query.ts'
import { type Figures, figuresOf, figuresOfRows, figuresOfVisits } from './figures.ts'
import type { Way } from './measure.ts'
import { TRAFFIC_RANGE } from './world/traffic.ts'
import type { World } from './world/world.ts'

const TIMEOUT_SECONDS = 300

const LIMITS = {
  timeoutSeconds: TIMEOUT_SECONDS,
  memoryBytesMax: 8 * 1024 ** 3,
  readRowsMax: 1e12,
  resultRowsMax: 10_000_000,
  resultBytesMax: 1024 ** 3,
}

type ServiceQuery = Pick<BenchmarkQuery, 'request' | 'answeredBy' | 'cohorts'>

/** The service's own query code: parse, compile, run, shape. */
export function queryService({ clickhouse, plan }: World, query: ServiceQuery): Way {
  return serviceWay('ours', { query, project: plan.project }, (readRows) =>
    createRunQuery(clickhouse, LIMITS, { onCost: (cost) => readRows(cost.readRows) }),
  )
}

/** The service's statements with copies of events left in. */
export function queryWithoutFinal({ clickhouse, plan }: World, query: ServiceQuery): Way {
  return serviceWay('without FINAL', { query, project: plan.project }, (readRows) => async (compiled) => {
    const { text, params } = render(compiled.statement)
    const rows = await readCells(clickhouse, { query: text.replaceAll(' FINAL ', ' '), params })
    readRows(rows.readRows)
    return rows.cells.map((cells) => compiled.decode(cells))
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
  { query, project }: { readonly query: ServiceQuery; readonly project: number },
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
      const run: QueryRunner = async (compiled) => await runQuery(compiled, signal)
      return { figures: await answerQuery(query, project, run), readRows }
    },
  }
}

async function answerQuery(
  { request, answeredBy, cohorts = {} }: ServiceQuery,
  project: number,
  run: QueryRunner,
): Promise<Figures> {
  const projectId = asProjectId(project)
  if (answeredBy === 'visits') {
    const list = fromJson(VisitsServiceListRequestSchema, request)
    const answer = await listVisits({
      request: list,
      project: { projectId },
      goals: [],
      nowMs: TRAFFIC_RANGE.toMs,
      run,
    })
    return figuresOfVisits(create(VisitsServiceListResponseSchema, answer))
  }
  const insight = prepareInsight(fromJson(QueryRequestSchema, request), {
    projectId,
    projectTimeZone: 'UTC',
    cohorts: lookUp(cohorts),
  })
  return figuresOf(await insight.answer(run))
}

/** Cohorts are evaluated at the end of the traffic. */
function lookUp(cohorts: NonNullable<BenchmarkQuery['cohorts']>): CohortLookup {
  return (id) => {
    const definition = cohorts[id]
    if (!definition) throw new Error(`the query has no cohort ${id}`)
    const context = { nowMs: TRAFFIC_RANGE.toMs, timeZone: 'UTC', lookup: NO_COHORT }
    return parseDefinition(fromJson(CohortDefinitionSchema, definition), 'definition', context)
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
