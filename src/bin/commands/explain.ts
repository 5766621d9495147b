import { readFileSync } from 'node:fs'
import type { QueryRequest } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { findProject } from '../../control/projects/operator-projects.ts'
import { cohortIdsOfSpec } from '../../domain/insights/cohort-filters.ts'
import { systemClock } from '../../kernel/clock.ts'
import { type CohortSet, createReadCohorts } from '../../query/cohorts/cohort-reader.ts'
import { parseInsightJson, prepareInsight } from '../../query/insight-types.ts'
import { createRunQuery, type QueryCost } from '../../query/sql/run.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ProjectRow } from '../../store/catalog/projects.ts'
import { openClickHouse } from '../../store/clickhouse/client.ts'
import { findClickHouse } from '../environment/clickhouse-endpoint.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { queryLimits } from '../query/query-ports.ts'
import { expectNoMore } from './command-words.ts'

const CONNECTIONS_MAX = 8
const TRANSFER_MARGIN_MS = 5000

/**
 * `millrace explain <request.json> [project]`: runs the `InsightsService.Query` request in the file (proto JSON), and prints
 * each statement with its parameters and what it cost. Throws {@link FatalError}.
 */
export async function runExplain(
  settings: Settings,
  [path, projectId, ...more]: readonly string[],
): Promise<void> {
  expectNoMore(more)
  if (!path) throw new FatalError('explain needs a JSON file with a query request, and optionally a project')
  const request = readRequest(path)
  const { project, cohorts } = await withCatalog(settings, async (catalog) => {
    const project = await findProject(catalog, projectId)
    return { project, cohorts: await createReadCohorts(catalog)(project.id, cohortIdsOfSpec(request.spec)) }
  })
  for (const cost of await ask(settings, { project, cohorts }, request)) process.stdout.write(print(cost))
}

function readRequest(path: string): QueryRequest {
  try {
    return parseInsightJson(readFileSync(path, 'utf8'))
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new FatalError(`${path} is not a query request: ${cause}`, { cause: error })
  }
}

async function ask(
  settings: Settings,
  { project, cohorts }: { readonly project: ProjectRow; readonly cohorts: CohortSet },
  request: QueryRequest,
): Promise<QueryCost[]> {
  const costs: QueryCost[] = []
  const clickhouse = openClickHouse(findClickHouse(settings, 'reader'), {
    application: 'millrace-explain',
    connectionsMax: CONNECTIONS_MAX,
    requestTimeoutMs: settings.queryTimeoutSeconds * 1000 + TRANSFER_MARGIN_MS,
  })
  const run = createRunQuery(clickhouse, queryLimits(settings), { onCost: (cost) => costs.push(cost) })
  const signal = new AbortController().signal
  try {
    const { id: projectId, reportingTimezone: timeZone } = project
    const lookup = cohorts.rulesAt({ nowMs: systemClock.nowMs(), timeZone })
    const context = { projectId, projectTimeZone: timeZone, cohorts: lookup }
    await prepareInsight(request, context).answer(async (query) => await run(query, signal))
    return costs
  } catch (error) {
    if (error instanceof ServiceError) throw new FatalError(error.message, { cause: error })
    throw error
  } finally {
    await clickhouse.close()
  }
}

function print({ statement, readRows, readBytes, elapsedMs }: QueryCost): string {
  const params = Object.entries(statement.params).map(
    ([name, value]) => `  ${name} = ${JSON.stringify(value)}`,
  )
  const rows = readRows.toLocaleString('en-US')
  const cost = `${rows} rows and ${(readBytes / 1024 ** 2).toFixed(1)} MiB read in ${elapsedMs.toFixed(1)} ms`
  return `${statement.text}\n${params.join('\n')}\n${cost}\n\n`
}
