import type { JobHandlers } from '../../jobs/job-handler.ts'
import { systemClock } from '../../kernel/clock.ts'
import { type DeletionRequests, ERASE_PERSON } from '../../query/people/erasure/deletion-requests.ts'
import { createErasePerson } from '../../query/people/erasure/erase-person.ts'
import type { Eraser, Leftovers } from '../../query/people/erasure/erasers.ts'
import type { ErasureStore } from '../../query/people/erasure/person-tables.ts'
import { createDeleteRows, createExecute, type Execute } from '../../query/sql/execute.ts'
import { createRunQuery, type QueryLimits, type RunQuery } from '../../query/sql/run.ts'
import { questionMsMax } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Catalog, checkpointCatalog } from '../../store/catalog/catalog.ts'
import { listUnfinishedMutations } from '../../store/clickhouse/mutations.ts'
import { untilFoldsEnd } from '../../store/clickhouse/running-folds.ts'
import type { StoreLink } from '../environment/store-link.ts'
import { createDeviceEraser, type MailAndPushParts } from './mail-and-push.ts'

/** The jobs that erase people. */
export function createErasureHandlers(
  parts: MailAndPushParts,
  record: { readonly deletions: DeletionRequests; readonly leftovers: Leftovers },
): JobHandlers {
  const { settings, catalog, store, log } = parts
  const erasePerson = createErasePerson({
    ...record,
    store: openErasureStore(settings, store),
    erasers: [createDeviceEraser(parts), ...erasersOf(catalog)],
    clock: systemClock,
    log,
  })
  return { [ERASE_PERSON]: erasePerson }
}

/** No client waits for a query of a job. */
const JOB_QUERY_SECONDS = 600
const JOB_ROWS_MAX = Number.MAX_SAFE_INTEGER
const JOB_BYTES_MAX = 256 * 1024 * 1024

function jobLimits(settings: Settings): QueryLimits {
  return {
    timeoutSeconds: JOB_QUERY_SECONDS,
    memoryBytesMax: settings.queryMemoryBytesMax,
    readRowsMax: JOB_ROWS_MAX,
    resultRowsMax: JOB_ROWS_MAX,
    resultBytesMax: JOB_BYTES_MAX,
  }
}

/** Reads and deletes rows of people. */
function openErasureStore(settings: Settings, link: StoreLink): ErasureStore {
  const limits = jobLimits(settings)
  const run: RunQuery = async (query, signal) => await createRunQuery(link.clickhouse, limits)(query, signal)
  const execute: Execute = async (statement, signal) =>
    await createExecute(link.clickhouse)(statement, signal)
  return {
    run,
    execute,
    deleteRows: async (rows, signal) => await createDeleteRows(link.clickhouse)(rows, signal),
    listUnfinished: async (texts, signal) =>
      await listUnfinishedMutations(link.clickhouse, { texts }, signal),
    untilFoldsEnd: async (signal) => await untilFoldsEnd(link.clickhouse, signal),
    questionMsMax: questionMsMax(settings),
  }
}

/** Each store with data of people adds its eraser; the log of changes is emptied after all of them. */
function erasersOf(catalog: Catalog): readonly Eraser[] {
  return [{ name: 'catalog', erase: async () => await checkpointCatalog(catalog) }]
}
