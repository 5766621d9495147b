import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { observedGauge } from '../../kernel/metrics.ts'
import { AnswerCache } from '../../query/calls/answer-cache.ts'
import type { CohortsPorts } from '../../query/cohort-calls/cohorts-service.ts'
import { createReadCohorts } from '../../query/cohorts/cohort-reader.ts'
import { CELLS_PER_FILL_MAX, DayKeeper, STORED_EVENTS_MIN } from '../../query/days/day-keeper.ts'
import type { ImportsPorts } from '../../query/imported/imports-service.ts'
import type { DeletionRequests } from '../../query/people/erasure/deletion-requests.ts'
import type { ProfilesPorts } from '../../query/people/profiles-service.ts'
import { createInsertFound } from '../../query/sql/execute.ts'
import { QueryGate } from '../../query/sql/query-gate.ts'
import { createRunQuery, type QueryLimits } from '../../query/sql/run.ts'
import { replicaLagMs, TURN_SECONDS_MAX } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { ProjectReader } from '../../store/catalog/project-reader.ts'
import { changeCohortMembers, deleteCohortMembers } from '../../store/clickhouse/cohort-members.ts'
import { readCellSpace } from '../../store/clickhouse/day-cells.ts'
import { deleteImportedDays, insertImportedBatch } from '../../store/clickhouse/imported-days.ts'
import { CELLS_ID_PREFIX } from '../../store/clickhouse/running-folds.ts'
import { insertProfileDeletion } from '../../store/clickhouse/user-rows.ts'
import type { StoreLink } from '../environment/store-link.ts'

/** Rows that one answer may have; every insight type has a lower limit. */
const RESULT_ROWS_MAX = 1_000_000
const RESULT_BYTES_MAX = 256 * 1024 * 1024

/** Queries of one project that wait for their turn: two dashboards that are opened at once. */
const WAITING_PER_PROJECT_MAX = 256

/** Answers that are kept; the largest are some hundred kilobytes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

/** The bounds of one query. */
export function queryLimits(settings: Settings): QueryLimits {
  return {
    timeoutSeconds: settings.queryTimeoutSeconds,
    memoryBytesMax: settings.queryMemoryBytesMax,
    readRowsMax: settings.queryReadRowsMax,
    resultRowsMax: RESULT_ROWS_MAX,
    resultBytesMax: RESULT_BYTES_MAX,
  }
}

/** The connections of the query process; the store may start later than this process. */
export interface QueryConnections {
  /** As a user who can only read. */
  readonly reader: StoreLink
  readonly writer: StoreLink
  readonly catalog: Catalog
  readonly deletions: DeletionRequests
  /** Looks for background jobs now. */
  readonly wakeJobs: () => void
  readonly log: Logger
}

/** The ports of insight queries. */
export function openQueryPorts(
  settings: Settings,
  { reader, writer, catalog, deletions, wakeJobs, log }: QueryConnections,
): ProfilesPorts & CohortsPorts & ImportsPorts {
  const limits = queryLimits(settings)
  const gate = new QueryGate({
    runningMax: settings.queryConcurrency,
    waitingPerProjectMax: WAITING_PER_PROJECT_MAX,
    waitMsMax: TURN_SECONDS_MAX * 1000,
  })
  observedGauge('millrace_queries_running', 'Running queries.', () => gate.counts.running)
  observedGauge(
    'millrace_queries_waiting',
    'Queries waiting for the concurrency limit.',
    () => gate.counts.waiting,
  )
  observedGauge('millrace_queries_max', 'Concurrency limit of queries.', () => settings.queryConcurrency)
  const answers = new AnswerCache({ bytesMax: ANSWER_BYTES_MAX })
  observedGauge('millrace_answer_cache_bytes', 'Bytes of cached query results.', () => answers.bytes)
  return {
    run: async (query, signal, report) =>
      await createRunQuery(reader.clickhouse, limits)(query, signal, report),
    gate,
    projects: new ProjectReader(catalog),
    catalog,
    readCohorts: createReadCohorts(catalog),
    members: {
      change: async (change) => await changeCohortMembers(writer.clickhouse, change),
      insertFound: async (statement, signal) =>
        await createInsertFound(writer.clickhouse, limits)(statement, signal),
      deleteAll: async (key) => await deleteCohortMembers(writer.clickhouse, key),
    },
    importedDays: {
      insert: async (batch) => await insertImportedBatch(writer.clickhouse, batch),
      deleteAll: async (key) => await deleteImportedDays(writer.clickhouse, key),
    },
    answers,
    days: openDayKeeper(settings, { writer, gate, log }),
    clock: systemClock,
    hideProfile: async (deletion) => await insertProfileDeletion(writer.clickhouse, deletion),
    erasures: {
      deletions,
      wakeJobs,
      hide: async (person) =>
        await insertProfileDeletion(writer.clickhouse, { ...person, deletedMs: systemClock.nowMs() }),
    },
    answerTtlMs: settings.queryCacheSeconds * 1000,
    timeoutMs: settings.queryTimeoutSeconds * 1000,
  }
}

/** A question that reads fewer rows takes some ten milliseconds. */
const KEPT_ROWS_MIN = 200_000

/** The tiles of a dashboard look up the days of their project once. */
const KEPT_STATE_MS = 1000

/** One statement at a time stores cells, and leaves the other cores to questions. */
const KEEPING_THREADS = 1

/** It leaves memory to questions as well: a part of what one of them may have. */
const KEEPING_MEMORY_SHARE = 1 / 4

/** It waits while more of the slots of questions are taken. */
const BUSY_SLOTS_SHARE = 1 / 4

function openDayKeeper(
  settings: Settings,
  { writer, gate, log }: Pick<QueryConnections, 'writer' | 'log'> & { readonly gate: QueryGate },
): DayKeeper | undefined {
  const { keptDaysBytesMax, retentionDays, queryConcurrency } = settings
  if (keptDaysBytesMax === 0) return undefined
  const limits = {
    ...queryLimits(settings),
    threadsMax: KEEPING_THREADS,
    memoryBytesMax: Math.floor(settings.queryMemoryBytesMax * KEEPING_MEMORY_SHARE),
  }
  const options = { idPrefix: CELLS_ID_PREFIX, groupsMax: CELLS_PER_FILL_MAX }
  return new DayKeeper({
    insertFound: async (statement, signal) =>
      await createInsertFound(writer.clickhouse, limits, options)(statement, signal),
    readCellSpace: async (signal) => await readCellSpace(writer.clickhouse, signal),
    storedBytesMax: keptDaysBytesMax,
    isBusy: () => gate.counts.running > queryConcurrency * BUSY_SLOTS_SHARE,
    storesFrom: 'second asking',
    stateMs: KEPT_STATE_MS,
    isOneNode: settings.clickhouseCluster === undefined,
    rowsMin: KEPT_ROWS_MIN,
    storedEventsMin: STORED_EVENTS_MIN,
    lagMs: replicaLagMs(settings),
    retentionDays,
    log,
  })
}
