import type { ForeignRequest } from '../../pipeline/dialects/foreign/foreign-batch.ts'
import { countRejection } from '../../pipeline/ingest-metrics.ts'
import type { Reply, ValidationPool } from '../../pipeline/pool.ts'
import type { Outcome } from '../../pipeline/task.ts'
import type { ClientFactsReader } from '../client-facts.ts'
import type { AdmittedMessage, MessageQueue, Withdraw } from '../ingestion-call.ts'
import { overloaded } from '../refusals.ts'
import type { ForeignCall } from './foreign-call.ts'

/** Dependencies of the events of other vendors' SDKs. */
export interface ForeignEventsParts {
  readonly pool: ValidationPool
  readonly clients: ClientFactsReader
}

/** Requests of one vendor's SDKs to the validation pool. */
export class ForeignEvents implements MessageQueue<ForeignCall> {
  readonly name: string
  readonly isFull = false
  readonly dialect: ForeignRequest['dialect']
  readonly #parts: ForeignEventsParts

  constructor(dialect: ForeignRequest['dialect'], parts: ForeignEventsParts) {
    this.name = `a request of the dialect ${dialect}`
    this.dialect = dialect
    this.#parts = parts
  }

  submit(
    { grant, call, message, head, receivedMicros }: AdmittedMessage<ForeignCall>,
    reply: Reply,
  ): Withdraw {
    const { pool, clients } = this.#parts
    const { projectId, kind, domains, blockedKinds } = grant
    if (pool.isFullFor(projectId)) throw overloaded()
    const { form, listsResults, key, sender } = call.route
    const foreign: ForeignRequest = {
      dialect: this.dialect,
      form,
      key,
      receivedMicros,
      listsResults,
      ...(sender ? { sender } : {}),
    }
    const { bytes, coding } = message
    const client = clients.read(head, { address: true })
    const facts = { isPublicKey: kind === 'public', domains, blockedKinds }
    const request = { projectId, codec: 'json' as const, coding, bytes, client, foreign, ...facts }
    const ticket = pool.submit(request, reply)
    return () => pool.withdraw(ticket, reply)
  }

  /** The answer is made of the results, which the call keeps. */
  encode(call: ForeignCall, { results }: Extract<Outcome, { readonly accepted: number }>): string {
    if (results) call.results = results
    return ''
  }

  countRejection(reason: string): void {
    countRejection(reason)
  }
}
