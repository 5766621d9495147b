import { NO_SESSION } from '../contract/ids.ts'
import { assert } from '../kernel/assert.ts'
import { machineMs } from '../kernel/clock.ts'
import { BATCH_UNPACK_RATIO_MAX, decompress } from '../rpc/compression.ts'
import type { StateCall } from '../store/state/measured-state-store.ts'
import { BlockedRows } from './blocked-rows.ts'
import { ColumnsRow } from './columns-row.ts'
import { type DecodeVerdict, decodeBinary, decodeJson } from './decode/decode-batch.ts'
import { EventColumns, type FinishRow, type PendingIdentity } from './encode/event-columns.ts'
import { RecentEventIds } from './encode/recent-event-ids.ts'
import type { Enricher, RequestFacts } from './enrich/enricher.ts'
import { canIdentify, decodeForeign, ForeignRows } from './foreign-decoder.ts'
import { ImpliedClaims } from './identify/merge-guards.ts'
import type { CookielessIdentity, CookielessOutcome } from './identity/cookieless-identity.ts'
import type { DeviceSessions } from './identity/device-sessions.ts'
import { unpackTask } from './packed-task.ts'
import type { DropReason, Outcome, PackedOutcome, Task, TaskRequest, TaskResult } from './task.ts'
import {
  type CountedViolation,
  TypedEventCheck,
  type TypedEventMode,
} from './typed-events/typed-event-check.ts'
import { DescribedWarnings } from './warnings/request-warnings.ts'

/** The dependencies of a batch processor. */
export interface BatchProcessorOptions {
  readonly bodyBytesMax: number
  readonly typedEvents: TypedEventMode
  readonly enricher: Enricher
  readonly identity: CookielessIdentity
  readonly deviceSessions: DeviceSessions
  /** Calls of the state store that are not counted yet: the main thread serves the metrics. */
  readonly stateCalls?: StateCall[]
}

/** A task in progress. */
interface Work {
  readonly task: Task
  readonly requests: readonly TaskRequest[]
  readonly columns: EventColumns
  readonly check: TypedEventCheck
  readonly outcomes: Outcome[]
  /** What other vendors' SDKs sent. */
  readonly foreign: ForeignRows
}

/** Room to spare in a new output buffer: a task whose block did not fit is rarely the only one. */
const OUTPUT_SPARE_BYTES = 256 * 1024

/** A task that takes longer returns its remaining requests to the queue, so that other projects get their turn. */
const TASK_MS = 100

const NO_STATE_CALLS: readonly StateCall[] = []
const NO_VIOLATIONS: readonly CountedViolation[] = []

/** Turns tasks into outcomes and blocks: decompress, decode and validate, enrich, check, identify, encode. */
export class BatchProcessor {
  readonly #options: BatchProcessorOptions
  /** Pool of columns, which are large and grow with the tasks. */
  readonly #spareColumns: EventColumns[] = []
  readonly #recentIds = new RecentEventIds()
  readonly #claims = new ImpliedClaims()
  readonly #described = new DescribedWarnings()

  constructor(options: BatchProcessorOptions) {
    this.#options = options
  }

  /** Processes a task. Rejects only on a bug. */
  async process(task: Task): Promise<TaskResult> {
    const columns = this.#spareColumns.pop() ?? new EventColumns()
    const requests = unpackTask(task)
    const work: Work = {
      task,
      requests,
      columns,
      check: new TypedEventCheck(this.#options.typedEvents),
      outcomes: [],
      foreign: new ForeignRows(),
    }
    const stopMs = machineMs() + TASK_MS
    for (const [requestIndex, request] of requests.entries()) {
      if (requestIndex > 0 && machineMs() >= stopMs) break
      work.outcomes.push(this.#decode(work, request, requestIndex))
    }
    if (columns.pendingIdentities.length > 0) await this.#identify(work)
    if (work.foreign.deviceRows.length > 0) await this.#addSessions(work)
    return this.#finish(work)
  }

  #decode(work: Work, request: TaskRequest, requestIndex: number): Outcome {
    const { columns, check } = work
    if (isLate(request)) return deadlineExceeded()
    if (request.foreign) {
      const { bodyBytesMax, enricher } = this.#options
      const rows = work.foreign
      const parts = {
        columns,
        check,
        enricher,
        bodyBytesMax,
        rows,
        claims: this.#claims,
        described: this.#described,
        requestIndex,
      }
      return decodeForeign(request, request.foreign, parts)
    }
    const message = decompress(request.bytes, request.coding, {
      bytesMax: this.#options.bodyBytesMax,
      ratioMax: BATCH_UNPACK_RATIO_MAX,
    })
    if (!message.ok)
      return { code: message.error.code, reason: message.error.reason, message: message.error.message }
    const mark = columns.mark()
    const pendingBefore = columns.pendingIdentities.length
    const blocked = new BlockedRows(request.blockedKinds, columns.rowCount)
    check.startRequest(columns.rowCount)
    const context = {
      projectId: request.projectId,
      requestIndex,
      finishRow: this.#createFinishRow(work, request, blocked),
    }
    const decode = request.codec === 'json' ? decodeJson : decodeBinary
    const verdict = decode(message.value, columns, context)
    if (!verdict.ok) return invalidBatch(verdict)
    const rejection = check.rejected ? violatedSchema(check.rejected) : undefined
    const lacksIdentity = columns.pendingIdentities.length > pendingBefore && !canIdentify(request)
    const late = isLate(request) ? deadlineExceeded() : undefined
    if (!rejection && !lacksIdentity && !late) {
      check.acceptRequest()
      blocked.drop(columns)
      const accepted = { accepted: verdict.eventCount }
      return blocked.count === 0 ? accepted : countDropped(accepted, 'blocked_kind', blocked.count)
    }
    columns.rollback(mark)
    return rejection ?? late ?? identityUnavailable()
  }

  #createFinishRow(work: Work, request: TaskRequest, blocked: BlockedRows): FinishRow {
    const { enricher } = this.#options
    const { address, userAgent, headers } = request.client
    const { isPublicKey, domains } = request
    const facts: RequestFacts = enricher.forRequest({
      headers,
      userAgent,
      clientAddress: address,
      isPublicKey,
      domains,
    })
    const row = new ColumnsRow(work.columns)
    const firstRow = work.columns.rowCount
    return (columns) => {
      if (columns.rowCount === firstRow) work.check.startRequest(firstRow)
      if (blocked.take(columns)) return
      enricher.enrich(row, facts)
      work.check.check(columns, row)
    }
  }

  async #identify(work: Work): Promise<void> {
    const { columns, requests, outcomes, foreign } = work
    const pending = columns.pendingIdentities.filter(({ row }) => !columns.isDropped(row))
    const events = pending.map(({ row, timeMs, requestIndex }) => {
      const request = requests[requestIndex]
      assert(request, 'every pending row has a request')
      const { address = '', userAgent = '' } = request.client
      const visitor = foreign.visitorOf(row) ?? { ip: address, userAgent }
      return { projectId: request.projectId, ...visitor, timeMs }
    })
    const identities = await this.#options.identity.resolve(events)
    pending.forEach((event, index) => {
      const identity = identities[index]
      if (!identity) return
      applyIdentity(columns, outcomes, event, identity)
      if ('dropped' in identity) foreign.drop(event.row, identity.dropped)
    })
  }

  async #addSessions({ columns, foreign }: Work): Promise<void> {
    const rows = foreign.deviceRows.filter(({ row }) => !columns.isDropped(row))
    const sessions = await this.#options.deviceSessions.resolve(rows)
    for (const [index, { row }] of rows.entries()) columns.setSession(row, sessions[index] ?? NO_SESSION)
  }

  #finish({ task, columns, outcomes, check, foreign }: Work): TaskResult {
    const packed = outcomes.map(packOutcome)
    const violations = check.counts
    const stateCalls = this.#takeStateCalls()
    const { identifyRows, identifyCount } = foreign
    if (columns.rowCount === 0) {
      this.#spareColumns.push(columns)
      return {
        outcomes: packed,
        blockBytes: 0,
        rowCount: 0,
        violations: NO_VIOLATIONS,
        idClashes: 0,
        identifyRows,
        identifyCount,
        stateCalls,
      }
    }
    let output: SharedArrayBuffer | undefined
    let idClashes = 0
    const { bytes, rowCount } = columns.finish({
      allocate: (byteCount) => {
        if (byteCount > task.output.byteLength) output = new SharedArrayBuffer(byteCount + OUTPUT_SPARE_BYTES)
        return Buffer.from(output ?? task.output)
      },
      inspect: (encoded, rows) => {
        idClashes = this.#recentIds.countClashes(encoded, rows)
      },
    })
    this.#spareColumns.push(columns)
    const block = { blockBytes: bytes.length, rowCount, ...(output ? { output } : {}) }
    const identifies = { identifyRows, identifyCount }
    return { outcomes: packed, ...block, ...identifies, violations, idClashes, stateCalls }
  }

  #takeStateCalls(): readonly StateCall[] {
    const { stateCalls } = this.#options
    return stateCalls === undefined || stateCalls.length === 0 ? NO_STATE_CALLS : stateCalls.splice(0)
  }
}

function packOutcome(outcome: Outcome): PackedOutcome {
  if (!('accepted' in outcome)) return outcome
  const { accepted, droppedByReason, changedByReason, results } = outcome
  return droppedByReason || changedByReason || results ? outcome : accepted
}

function applyIdentity(
  columns: EventColumns,
  outcomes: Outcome[],
  { row, requestIndex }: PendingIdentity,
  identity: CookielessOutcome,
): void {
  if (!('dropped' in identity)) return columns.resolveIdentity(row, identity.distinctId, identity.sessionId)
  columns.dropRow(row)
  const outcome = outcomes[requestIndex]
  if (!outcome || !('accepted' in outcome)) return
  outcomes[requestIndex] = countDropped(outcome, identity.dropped, 1)
}

type Accepted = Extract<Outcome, { readonly accepted: number }>

function countDropped(
  { accepted, droppedByReason = {}, ...rest }: Accepted,
  reason: DropReason,
  count: number,
): Accepted {
  const dropped = (droppedByReason[reason] ?? 0) + count
  return { ...rest, accepted: accepted - count, droppedByReason: { ...droppedByReason, [reason]: dropped } }
}

/** The client has given up: the request is either rejected and not stored, or stored and not rejected. */
function isLate({ deadlineMs }: TaskRequest): boolean {
  return deadlineMs !== undefined && machineMs() >= deadlineMs
}

function deadlineExceeded(): Outcome {
  return {
    code: 'deadline_exceeded',
    reason: 'DEADLINE_EXCEEDED',
    message: 'the call took longer than its timeout',
  }
}

/** The violation of a malformed body names no field: it is not about an event. */
function invalidBatch({ message, violation }: Extract<DecodeVerdict, { readonly ok: false }>): Outcome {
  const reason = violation.field === '' ? 'INVALID_REQUEST' : 'INVALID_EVENT_BATCH'
  return { code: 'invalid_argument', reason, message, violation }
}

function identityUnavailable(): Outcome {
  return {
    code: 'invalid_argument',
    reason: 'COOKIELESS_IDENTITY_UNAVAILABLE',
    message: 'cookieless events need a User-Agent header and a client address',
  }
}

function violatedSchema({ eventIndex, violation }: NonNullable<TypedEventCheck['rejected']>): Outcome {
  const field = `events[${eventIndex}].customProperties[${JSON.stringify(violation.property)}]`
  const message = `events[${eventIndex}] of kind ${violation.kind}: ${violation.message}`
  return {
    code: 'invalid_argument',
    reason: 'INVALID_EVENT_BATCH',
    message,
    violation: { field, description: violation.message },
  }
}
