import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  type IngestionWarningSchema,
  type ListRequest,
  ListRequestSchema,
  type ListResponseSchema,
  WarningEffect,
  type WarningSampleSchema,
  type WarningsService,
} from '../../contract/gen/millrace/ingest/v1/warnings_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { isWarningReason, WARNING_DAYS, WARNING_REASONS } from '../../contract/ingestion-warnings.ts'
import { encodeBoundToken, parseBoundToken } from '../calls/bound-token.ts'
import { openCall, type QueryPorts } from '../calls/query-call.ts'
import { compileWarnings, type FoundWarning, type WarningsQuery } from './warnings-sql.ts'

const HOUR_MS = 3_600_000
const HOURS_DEFAULT = WARNING_DAYS * 24
const PAGE_SIZE_DEFAULT = 100

const EFFECTS = {
  dropped: WarningEffect.DROPPED,
  changed: WarningEffect.CHANGED,
  rejected: WarningEffect.REJECTED,
} as const satisfies Record<(typeof WARNING_REASONS)[keyof typeof WARNING_REASONS], WarningEffect>

/** `millrace.ingest.v1.WarningsService`: what ingestion dropped, changed and refused. */
export function createWarningsService(ports: QueryPorts): ServiceImpl<typeof WarningsService> {
  return {
    list: async (request, context) => {
      const { projectId, run } = await openCall(ports, context)
      const found = await run(compileWarnings(toQuery(request, { projectId, nowMs: ports.clock.nowMs() })))
      return pageOf(found, { request, projectId })
    },
  }
}

function toQuery(
  { hours, dialects, reasons, effects }: ListRequest,
  { projectId, nowMs }: { readonly projectId: ProjectId; readonly nowMs: number },
): WarningsQuery {
  const runningHourMs = nowMs - (nowMs % HOUR_MS)
  const ofEffects = Object.entries(WARNING_REASONS).flatMap(([reason, effect]) =>
    effects.includes(EFFECTS[effect]) ? [reason] : [],
  )
  const asked = reasons.length === 0 ? ofEffects : ofEffects.filter((reason) => reasons.includes(reason))
  return {
    projectId,
    fromMs: runningHourMs - ((hours || HOURS_DEFAULT) - 1) * HOUR_MS,
    dialects: dialects.length === 0 ? undefined : dialects,
    reasons: effects.length > 0 ? asked : reasons.length === 0 ? undefined : reasons,
  }
}

/** One page; what has happened since the previous one may move a warning to the front of the list. */
function pageOf(
  found: readonly FoundWarning[],
  { request, projectId }: { readonly request: ListRequest; readonly projectId: ProjectId },
): MessageInitShape<typeof ListResponseSchema> {
  const paged = { schema: ListRequestSchema, request, projectId }
  const after = parseBoundToken(paged)
  const rest = after === undefined ? found : found.filter((warning) => positionOf(warning) > after)
  const page = rest.slice(0, request.pageSize || PAGE_SIZE_DEFAULT)
  const last = page.at(-1)
  const isLast = rest.length === page.length || last === undefined
  return {
    warnings: page.map(toMessage),
    nextPageToken: isLast ? '' : encodeBoundToken(paged, positionOf(last)),
    totalCount: found.length,
  }
}

/** Ascends in the order of the list: the latest time is the smallest text. */
function positionOf({ lastMs, dialect, reason, sdk, sdkVersion }: FoundWarning): string {
  const descending = String(Number.MAX_SAFE_INTEGER - lastMs)
  return [descending, dialect, reason, sdk, sdkVersion].join('\0')
}

function toMessage(found: FoundWarning): MessageInitShape<typeof IngestionWarningSchema> {
  const { firstMs, lastMs, count, sample, reason, ...names } = found
  const shown = readSample(sample)
  return {
    ...names,
    reason,
    effect: isWarningReason(reason) ? EFFECTS[WARNING_REASONS[reason]] : WarningEffect.UNSPECIFIED,
    count,
    firstTime: timestampFromMs(firstMs),
    lastTime: timestampFromMs(lastMs),
    ...(shown ? { sample: shown } : {}),
  }
}

/** A sample as the edge wrote it. */
function readSample(text: string): MessageInitShape<typeof WarningSampleSchema> | undefined {
  if (text === '') return undefined
  const { fields, event, problem } = JSON.parse(text) as {
    readonly fields: string[]
    readonly event?: unknown
    readonly problem?: string
  }
  return {
    fields,
    eventJson: event === undefined ? '' : JSON.stringify(event, undefined, 2),
    problem: problem ?? '',
  }
}
