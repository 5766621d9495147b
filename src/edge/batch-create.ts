import { countRejection } from '../pipeline/ingest-metrics.ts'
import type { Reply, ValidationPool } from '../pipeline/pool.ts'
import type { Outcome } from '../pipeline/task.ts'
import type { Codec } from '../rpc/content-type.ts'
import type { RequestMessage } from '../rpc/request-message.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import { encodeBatchCreateResponse } from './batch-create-response.ts'
import type { ClientFactsReader } from './client-facts.ts'
import type { AdmittedMessage, IngestionRpc, Withdraw } from './ingestion-call.ts'
import { overloaded } from './refusals.ts'

/** Path of the RPC that ingests events. */
export const BATCH_CREATE_PATH = '/sdk.events.v1.EventsService/BatchCreate'

/**
 * Up to this body length, searching for what needs the client's address is cheaper than reading the address (benchmark
 * cases `e2e/*`).
 */
const SEARCHED_BYTES_MAX = 4096

/** Dependencies of BatchCreate. */
export interface BatchCreateParts {
  readonly pool: ValidationPool
  readonly clients: ClientFactsReader
  /** Whether every client's address is looked up. */
  readonly locatesClients: boolean
}

/** `sdk.events.v1.EventsService/BatchCreate`: events to the validation pool. */
export class BatchCreate implements IngestionRpc {
  readonly path = BATCH_CREATE_PATH
  readonly name = 'BatchCreate'
  readonly dialect = 'millrace'
  readonly isFull = false
  readonly #parts: BatchCreateParts

  constructor(parts: BatchCreateParts) {
    this.#parts = parts
  }

  resultAtOnce({ codec }: UnaryCall, message: RequestMessage): string | Uint8Array | undefined {
    return isEmptyBatch(codec, message) ? encodeBatchCreateResponse(codec, { accepted: 0 }) : undefined
  }

  submit({ grant, call, message, head, deadlineMs }: AdmittedMessage, reply: Reply): Withdraw {
    const { pool, clients, locatesClients } = this.#parts
    const { projectId, kind, domains, blockedKinds } = grant
    const { codec } = call
    if (pool.isFullFor(projectId)) throw overloaded()
    const client = clients.read(head, { address: locatesClients || mayBeCookieless(codec, message) })
    const { bytes, coding } = message
    const facts = { isPublicKey: kind === 'public', domains, blockedKinds }
    const request = { projectId, codec, coding, bytes, client, deadlineMs, ...facts }
    const ticket = pool.submit(request, reply)
    return () => pool.withdraw(ticket, reply)
  }

  encode(
    { codec }: UnaryCall,
    outcome: Extract<Outcome, { readonly accepted: number }>,
  ): string | Uint8Array {
    return encodeBatchCreateResponse(codec, outcome)
  }

  countRejection(reason: string): void {
    countRejection(reason)
  }
}

/** A batch without events, which clients send to test their key. */
function isEmptyBatch(codec: Codec, { bytes, coding }: RequestMessage): boolean {
  if (coding !== 'identity') return false
  return codec === 'proto' ? bytes.length === 0 : bytes.length === 2 && bytes[0] === 0x7b && bytes[1] === 0x7d
}

/**
 * False only for a batch that certainly has no cookieless event: in JSON the field's name stands literally or with escaped
 * letters. In protobuf its tag is too short to search for.
 */
function mayBeCookieless(codec: Codec, { bytes, coding }: RequestMessage): boolean {
  if (codec === 'proto' || coding !== 'identity' || bytes.length > SEARCHED_BYTES_MAX) return true
  return bytes.includes('"cookieless"') || bytes.includes('\\u')
}
