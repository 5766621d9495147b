import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import type {
  ImportSchema,
  ImportsService,
  ImportsServiceAddRowsRequest,
  ImportsServiceCreateRequest,
  ImportsServiceFinishRequest,
} from '../../contract/gen/millrace/web/v1/imports_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { dateOf, isDate, shiftDate } from '../../domain/calendar.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { ImportedBatch, ImportKey } from '../../store/clickhouse/imported-days.ts'
import { openCall, type QueryPorts } from '../calls/query-call.ts'
import {
  countBatch,
  createImport,
  deleteImport,
  findImport,
  finishImport,
  type ImportContent,
  loadImports,
  readImport,
  type StoredImport,
  showUntil,
} from './import-store.ts'
import { findOwnFirstDay } from './own-days.ts'
import { parseRows } from './parse-rows.ts'

/** The numbers of imports in ClickHouse. */
export interface ImportedDays {
  /** Stores a batch durably, instead of an earlier one with its number. */
  readonly insert: (batch: ImportedBatch) => Promise<void>
  /** Deletes all batches of an import, in the background. */
  readonly deleteAll: (key: ImportKey) => Promise<void>
}

/** Dependencies of imports. */
export interface ImportsPorts extends QueryPorts {
  readonly catalog: Catalog
  readonly importedDays: ImportedDays
}

const DAYS_MAX = 10_000

/** `millrace.web.v1.ImportsService`: what other products counted per day. */
export function createImportsService(ports: ImportsPorts): ServiceImpl<typeof ImportsService> {
  return {
    create: async (request, context) => await create(ports, request, context),
    addRows: async (request, context) => ({ import: toMessage(await addRows(ports, request, context)) }),
    finish: async (request, context) => ({ import: toMessage(await finish(ports, request, context)) }),
    list: async (_, context) => ({
      imports: (await loadImports(ports.catalog, projectIdOf(context))).map(toMessage),
    }),
    delete: async ({ id }, context) => {
      const projectId = projectIdOf(context)
      await deleteImport(ports.catalog, { projectId, id })
      await ports.importedDays.deleteAll({ projectId, importId: id })
      return {}
    },
  }
}

async function create(ports: ImportsPorts, request: ImportsServiceCreateRequest, context: HandlerContext) {
  const { catalog } = ports
  const projectId = projectIdOf(context)
  const content = parseContent(request, ports)
  const { until } = request
  if (until !== '') requireDate(until, 'until')
  const { run, projectTimeZone: timeZone } = await openCall(ports, context)
  const ownFirstDay = await findOwnFirstDay({ projectId, timeZone }, run)
  const found = await findImport(catalog, { projectId, digest: content.digest })
  if (found) {
    const shown = until === '' ? found : await showUntil(catalog, { projectId, id: found.id }, until)
    return { import: toMessage(shown), ownFirstDay: ownFirstDay ?? '' }
  }
  const shownUntil = until === '' ? lastDayBefore(ownFirstDay, content) : until
  const created = await createImport(ports, projectId, { content, shownUntil })
  return { import: toMessage(created), ownFirstDay: ownFirstDay ?? '' }
}

/** Stores a batch first and counts it then, so that one which is not counted is sent again. */
async function addRows(
  { catalog, importedDays }: ImportsPorts,
  { id, batch, rows }: ImportsServiceAddRowsRequest,
  context: HandlerContext,
): Promise<StoredImport> {
  const projectId = projectIdOf(context)
  const found = await readImport(catalog, { projectId, id })
  if (batch < found.batches) return found
  if (found.finishedMs !== undefined) throw outOfOrder('the import is finished; delete it to import it again')
  if (batch > found.batches) throw outOfOrder(`the next batch is ${found.batches}; send that one first`)
  const numbers = parseRows(rows, found)
  await importedDays.insert({ projectId, importId: id, batch, rows: numbers })
  return await countBatch(catalog, { projectId, id }, { batch, rows: numbers.length })
}

async function finish(
  ports: ImportsPorts,
  { id, batches }: ImportsServiceFinishRequest,
  context: HandlerContext,
): Promise<StoredImport> {
  const key = { projectId: projectIdOf(context), id }
  const found = await readImport(ports.catalog, key)
  if (batches !== found.batches)
    throw outOfOrder(`${found.batches} of ${batches} batches are stored; send the others first`)
  return await finishImport(ports, key)
}

function parseContent(request: ImportsServiceCreateRequest, { clock }: ImportsPorts): ImportContent {
  const { name, digest, firstDay, lastDay, dimensions } = request
  requireDate(firstDay, 'first_day')
  requireDate(lastDay, 'last_day')
  if (lastDay < firstDay) throw invalid('last_day', 'must not be before first_day', 'INVALID_REQUEST')
  if (lastDay > shiftDate(firstDay, DAYS_MAX))
    throw invalid('last_day', `must be at most ${DAYS_MAX} days after first_day`, 'INVALID_REQUEST')
  // In some time zones it is tomorrow already.
  if (lastDay > shiftDate(dateOf(clock.nowMs(), 'UTC'), 1))
    throw invalid('last_day', 'must not be in the future', 'INVALID_REQUEST')
  return { name, digest, firstDay, lastDay, dimensions: [...new Set(dimensions)].sort((a, b) => a - b) }
}

const FIRST_DAY = '1970-01-01'

function requireDate(text: string, field: string): void {
  if (!isDate(text) || text < FIRST_DAY)
    throw invalid(field, 'must be a date such as 2026-01-31, from 1970 on', 'INVALID_REQUEST')
}

/** The last imported day before the project's own data. Throws `failed_precondition` when there is none. */
function lastDayBefore(
  ownFirstDay: string | undefined,
  { firstDay, lastDay }: Pick<ImportContent, 'firstDay' | 'lastDay'>,
): string {
  if (ownFirstDay === undefined || ownFirstDay > lastDay) return lastDay
  if (ownFirstDay > firstDay) return shiftDate(ownFirstDay, -1)
  throw new ServiceError({
    code: 'failed_precondition',
    reason: 'NO_DAYS_TO_SHOW',
    message: `the project has page views of its own since ${ownFirstDay}, before the first day with imported numbers, ${firstDay}; name the last day to show`,
  })
}

function outOfOrder(message: string): ServiceError {
  return new ServiceError({ code: 'failed_precondition', reason: 'BATCH_OUT_OF_ORDER', message })
}

function toMessage(stored: StoredImport): MessageInitShape<typeof ImportSchema> {
  const { rows, dimensions, createdMs, finishedMs, ...content } = stored
  return {
    ...content,
    dimensions: [...dimensions],
    rows: BigInt(rows),
    createTime: timestampFromMs(createdMs),
    ...(finishedMs === undefined ? {} : { finishTime: timestampFromMs(finishedMs) }),
  }
}
