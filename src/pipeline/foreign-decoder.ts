import { isUtf8 } from 'node:buffer'
import type { WarningReason } from '../contract/ingestion-warnings.ts'
import type { ServiceError } from '../contract/service-error.ts'
import { BlockedRows } from './blocked-rows.ts'
import { ColumnsRow } from './columns-row.ts'
import { DIALECTS } from './dialects/dialects.ts'
import type {
  ForeignBatch,
  ForeignChange,
  ForeignClient,
  ForeignIdentification,
  ForeignItem,
  ForeignRequest,
  ForeignResult,
} from './dialects/foreign/foreign-batch.ts'
import { isObject } from './dialects/foreign/foreign-value.ts'
import { unwrapBody } from './dialects/foreign/unwrap-body.ts'
import type { EventColumns, RowContext } from './encode/event-columns.ts'
import type { Enricher, RequestFacts } from './enrich/enricher.ts'
import { identifyRow } from './identify/identify-row.ts'
import type { ImpliedClaims } from './identify/merge-guards.ts'
import type { Visitor } from './identity/derived-ids.ts'
import type { DeviceEvent } from './identity/device-sessions.ts'
import type { DropReason, Outcome, TaskRequest } from './task.ts'
import type { TypedEventCheck } from './typed-events/typed-event-check.ts'
import { type DescribedWarnings, RequestWarnings } from './warnings/request-warnings.ts'
import { sdkOfAgent, toSdkName } from './warnings/sdk-name.ts'
import type { SdkName } from './warnings/warning.ts'

/** A row of a device without a session. */
export interface DeviceRow extends DeviceEvent {
  readonly row: number
}

/** The client by which visitors without an id are told apart. */
export type EventVisitor = Pick<Visitor, 'ip' | 'userAgent'>

/** What the requests of other vendors' SDKs in one task leave behind beside their rows of events. */
export class ForeignRows {
  readonly #identifies: string[] = []
  readonly #listed = new Map<number, ForeignResult>()
  readonly #visitors = new Map<number, EventVisitor>()
  readonly #deviceRows: DeviceRow[] = []

  /** Lines of `FORMAT JSONEachRow`. */
  get identifyRows(): string {
    return this.#identifies.join('')
  }

  get identifyCount(): number {
    return this.#identifies.length
  }

  addIdentify(row: string): void {
    this.#identifies.push(row)
  }

  /** Rows whose sessions are derived when all requests of the task are decoded. */
  get deviceRows(): readonly DeviceRow[] {
    return this.#deviceRows
  }

  addDeviceRow(row: DeviceRow): void {
    this.#deviceRows.push(row)
  }

  /** The client of a row is another one than that of its request. */
  setVisitor(row: number, visitor: EventVisitor): void {
    this.#visitors.set(row, visitor)
  }

  /** The client that a cookieless row itself names. */
  visitorOf(row: number): EventVisitor | undefined {
    return this.#visitors.get(row)
  }

  /** Remembers the result of a row that may be dropped later. */
  list(row: number, result: ForeignResult): void {
    this.#listed.set(row, result)
  }

  /** A row was dropped after its request was decoded. */
  drop(row: number, reason: DropReason): void {
    const result = this.#listed.get(row)
    if (result) result.dropped = reason
  }
}

/** Dependencies of {@link decodeForeign}. */
export interface ForeignParts {
  readonly columns: EventColumns
  readonly check: TypedEventCheck
  readonly enricher: Enricher
  /** Bytes of a body after decompression. */
  readonly bodyBytesMax: number
  readonly rows: ForeignRows
  readonly claims: ImpliedClaims
  readonly described: DescribedWarnings
  readonly requestIndex: number
}

/** Decodes a request of another vendor's SDK event by event: what cannot be stored is dropped, and the rest is kept. */
export function decodeForeign(request: TaskRequest, foreign: ForeignRequest, parts: ForeignParts): Outcome {
  const body = unwrapBody(request.bytes, request.coding, parts.bodyBytesMax)
  if (!body.ok) return refuse(body.error)
  const batch = DIALECTS[foreign.dialect].readRequest(body.value, foreign)
  if (!batch.ok) return refuse(batch.error)
  if (batch.value.key !== undefined && batch.value.key !== foreign.key) return otherKey()
  return new ForeignDecoding(request, foreign, parts).decode(batch.value, isUtf8(body.value))
}

/** The facts that derive the identity of a visitor without an id. */
export function canIdentify({ client }: Pick<TaskRequest, 'client'>): boolean {
  return client.address !== undefined && client.userAgent !== undefined && client.userAgent !== ''
}

const NONE: readonly ForeignChange[] = []

class ForeignDecoding {
  readonly #request: TaskRequest
  readonly #foreign: ForeignRequest
  readonly #parts: ForeignParts
  readonly #blocked: BlockedRows
  readonly #row: ColumnsRow
  readonly #dropped: Partial<Record<DropReason, number>> = {}
  readonly #changed: Partial<Record<ForeignChange, number>> = {}
  readonly #people = new Map<string, ForeignIdentification[]>()
  readonly #results: ForeignResult[] = []
  readonly #context: RowContext
  readonly #warnings: RequestWarnings
  #accepted = 0
  /** A request that only checks events has no warnings, and takes no sample from those that have. */
  #isCheckOnly = false
  /** The client of the current row, which all events of a request may share, and its facts. */
  #client: ForeignClient | undefined
  #facts: RequestFacts | undefined
  /** Facts of the client of the request, once they are needed. */
  #requestFacts: RequestFacts | undefined

  constructor(request: TaskRequest, foreign: ForeignRequest, parts: ForeignParts) {
    this.#request = request
    this.#foreign = foreign
    this.#parts = parts
    this.#blocked = new BlockedRows(request.blockedKinds, parts.columns.rowCount)
    this.#row = new ColumnsRow(parts.columns)
    this.#context = {
      projectId: request.projectId,
      requestIndex: parts.requestIndex,
      finishRow: () => this.#finishRow(),
    }
    this.#warnings = new RequestWarnings({
      sdkOf: (record) => this.#sdkOf(record),
      described: parts.described,
      source: `${request.projectId} ${foreign.dialect}`,
    })
  }

  /** A body that is not UTF-8 has replacement characters in the texts that were not. */
  decode({ items, records = [], isCheckOnly = false }: ForeignBatch, isUtf8Text: boolean): Outcome {
    this.#isCheckOnly = isCheckOnly
    items.forEach((item, index) => {
      const record = records[index]
      this.#take(isUtf8Text ? item : noteReplacements(item, record), record)
    })
    this.#blocked.drop(this.#parts.columns)
    this.#addIdentifies()
    const { list } = this.#warnings
    return {
      accepted: this.#accepted,
      ...(isCheckOnly ? { isCheckOnly } : {}),
      ...(list ? { warnings: list } : {}),
      ...(isEmpty(this.#dropped) ? {} : { droppedByReason: this.#dropped }),
      ...(isEmpty(this.#changed) ? {} : { changedByReason: this.#changed }),
      ...(this.#foreign.listsResults ? { results: this.#results } : {}),
    }
  }

  #take(item: ForeignItem, record: unknown): void {
    const { columns, rows } = this.#parts
    const row = columns.rowCount
    const dropped = item.dropped ?? this.#addEvent(item)
    const { id, identification } = item
    const changes =
      item.changes === undefined || item.changes.length === 0 ? NONE : [...new Set(item.changes)]
    if (id !== undefined && this.#foreign.listsResults) {
      const result: ForeignResult = { id, dropped, changes }
      this.#results.push(result)
      if (columns.rowCount > row) rows.list(row, result)
    }
    if (dropped !== undefined) {
      this.#dropped[dropped] = (this.#dropped[dropped] ?? 0) + 1
      this.#warn(dropped, record)
    } else {
      this.#accepted++
      for (const change of changes) {
        this.#changed[change] = (this.#changed[change] ?? 0) + 1
        this.#warn(change, record)
      }
    }
    if (identification) this.#remember(identification)
  }

  #warn(reason: WarningReason, record: unknown): void {
    if (!this.#isCheckOnly) this.#warnings.add(reason, record)
  }

  /** The library that an event names, else that of the request. */
  #sdkOf(record: unknown): SdkName {
    const { dialect, sender } = this.#foreign
    const read = DIALECTS[dialect].readLibrary
    const ofHead = sender ? [sender.library, sender.libraryVersion] : []
    const [name, version] = read && isObject(record) ? read(record) : ofHead
    return toSdkName(name, version) ?? sdkOfAgent(this.#request.client.userAgent)
  }

  /** Adds the row of an event; returns the reason when it is dropped. */
  #addEvent({ event, client, device }: ForeignItem): DropReason | undefined {
    if (!event) return undefined
    const visitor = event.cookieless ? this.#visitorOf(client) : undefined
    if (event.cookieless && !visitor) return 'no_visitor'
    const { columns, check, rows } = this.#parts
    const row = columns.rowCount
    const blockedBefore = this.#blocked.count
    check.startRequest(row)
    if (client !== this.#client || !this.#facts) this.#facts = this.#factsOf(client)
    this.#client = client
    columns.addEvent(event, this.#context)
    if (this.#blocked.count > blockedBefore) return 'blocked_kind'
    if (check.rejected) {
      columns.dropRow(row)
      return 'schema_violation'
    }
    check.acceptRequest()
    if (visitor) rows.setVisitor(row, visitor)
    const { projectId } = this.#request
    if (device !== undefined) rows.addDeviceRow({ row, projectId, device, timeMs: event.timeMs })
    return undefined
  }

  #finishRow(): void {
    const { columns, check, enricher } = this.#parts
    if (this.#blocked.take(columns)) return
    if (this.#facts) enricher.enrich(this.#row, this.#facts)
    check.check(columns, this.#row)
  }

  /** The client that an event names, completed by that of its request; `undefined` when a part is unknown. */
  #visitorOf(client: ForeignClient | undefined): EventVisitor | undefined {
    const { place = 'request', agent = 'request' } = client ?? {}
    const ofRequest = this.#request.client
    const ip = (place === 'request' ? undefined : place.address) ?? ofRequest.address
    const userAgent = (agent === 'request' ? undefined : agent.userAgent) || ofRequest.userAgent
    return ip === undefined || !userAgent ? undefined : { ip, userAgent }
  }

  #factsOf(client: ForeignClient | undefined): RequestFacts {
    const place = client?.place ?? 'request'
    const agent = client?.agent ?? 'request'
    if (place !== 'request' || agent !== 'request') return this.#deriveFacts(place, agent)
    this.#requestFacts ??= this.#deriveFacts(place, agent)
    return this.#requestFacts
  }

  #deriveFacts(place: ForeignClient['place'], agent: ForeignClient['agent']): RequestFacts {
    const { isPublicKey, domains, client: ofRequest } = this.#request
    return this.#parts.enricher.forRequest({
      headers: place === 'request' ? ofRequest.headers : undefined,
      clientAddress: place === 'request' ? ofRequest.address : place.address,
      userAgent: agent === 'request' ? ofRequest.userAgent : agent.userAgent,
      isPublicKey,
      domains,
    })
  }

  #remember(identification: ForeignIdentification): void {
    const known = this.#people.get(identification.externalId)
    const last = known?.at(-1)
    // Most events of a request are of the person before, with the same two ids.
    const isRepeated = last?.isImplied && last.anonymousId === identification.anonymousId
    if (identification.isImplied && isRepeated) return
    if (known) known.push(identification)
    else this.#people.set(identification.externalId, [identification])
  }

  /** One row per person and claimed id. The rows of a request have the same time, so a trait is in one of them only. */
  #addIdentifies(): void {
    const { projectId } = this.#request
    const { receivedMicros } = this.#foreign
    const { claims } = this.#parts
    for (const [externalId, all] of this.#people) {
      const told = all.filter(
        ({ isImplied, anonymousId }) => !isImplied || claims.add(projectId, anonymousId, externalId),
      )
      if (told.length === 0) continue
      const operations = mergeTraits(told)
      const isImplied = told.every((one) => one.isImplied)
      const claimed = new Set(told.map(({ anonymousId }) => anonymousId).filter(Boolean))
      const [first = '', ...others] = claimed
      const add = (anonymousId: string, own: Traits): void => {
        const identification = { externalId, anonymousId, deviceId: '', ...own, isImplied }
        this.#parts.rows.addIdentify(identifyRow(identification, { projectId, receivedMicros }))
      }
      add(first, operations)
      for (const other of others) add(other, mergeTraits([]))
    }
  }
}

/** Whether an event has a character in the place of bytes that were none. */
function noteReplacements(item: ForeignItem, record: unknown): ForeignItem {
  const isReplaced = item.dropped === undefined && JSON.stringify(record ?? null).includes('\ufffd')
  return isReplaced ? { ...item, changes: [...(item.changes ?? []), 'characters_replaced'] } : item
}

type Traits = Pick<ForeignIdentification, 'traits' | 'traitsOnce' | 'removedTraits'>

/** What several events of one request do to the traits of a person, in their order. */
function mergeTraits(told: readonly Traits[]): Traits {
  const traits = new Map<string, string>()
  const traitsOnce = new Map<string, string>()
  const removed = new Set<string>()
  for (const one of told) {
    for (const [name, value] of one.traitsOnce)
      if (!traits.has(name) && !traitsOnce.has(name) && !removed.has(name)) traitsOnce.set(name, value)
    for (const [name, value] of one.traits) {
      traits.set(name, value)
      removed.delete(name)
    }
    for (const name of one.removedTraits) {
      traits.delete(name)
      removed.add(name)
    }
  }
  return { traits, traitsOnce, removedTraits: [...removed] }
}

function isEmpty(counts: object): boolean {
  return Object.keys(counts).length === 0
}

function refuse({ code, reason, message }: ServiceError): Outcome {
  return { code, reason, message }
}

function otherKey(): Outcome {
  return {
    code: 'unauthenticated',
    reason: 'INVALID_API_KEY',
    message: 'the body has another key than the request was admitted with',
  }
}
