import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CustomerId } from '../../contract/ids.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import type { Logger } from '../../kernel/log.ts'
import type { AuditScope } from '../../store/catalog/audit/audit-scope.ts'
import {
  callOf,
  countEntries,
  countLostEntry,
  ORGANISATIONS_MAX,
} from '../../store/catalog/audit/write-entries.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

const HOUR_MS = 3_600_000

/** Addresses of an account's failures in an hour that get an entry, per process. */
const ADDRESSES_PER_HOUR_MAX = 20

/** Failures that wait; further ones are dropped. */
const WAITING_MAX = 1000

const REMEMBERED_MAX = 20_000

/** The account of a failure. */
export type FailedAccount = { readonly email: string } | { readonly customerId: CustomerId }

/**
 * Records failed sign-ins to existing accounts, and refused passkeys, one an hour for an account and address. It works after the answer, one at a time, so
 * that the time of a refusal does not depend on whether the account exists.
 */
export class FailedSignIns {
  readonly #catalog: Catalog
  readonly #log: Logger
  readonly #counts = new LRUCache<string, number>(entriesUpTo(REMEMBERED_MAX))
  #waiting = 0
  #last: Promise<void> = Promise.resolve()

  constructor(catalog: Catalog, log: Logger) {
    this.#catalog = catalog
    this.#log = log
  }

  /** Queues a failure. */
  record(scope: AuditScope, account: FailedAccount): void {
    if (this.#waiting >= WAITING_MAX) return countLostEntry()
    this.#waiting++
    this.#last = this.#last
      .then(async () => await this.#write(scope, account))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a failed sign-in could not be recorded'))
      .finally(() => {
        this.#waiting--
      })
  }

  /** Resolves when everything that was queued is written. */
  async settle(): Promise<void> {
    await this.#last
  }

  async #write(scope: AuditScope, account: FailedAccount): Promise<void> {
    const found = this.#catalog
      .selectFrom('customers')
      .innerJoin('memberships', 'memberships.customer_id', 'customers.id')
      .select(['customers.id', 'memberships.organisation_id'])
      .orderBy('memberships.created_ms')
      .limit(ORGANISATIONS_MAX)
    const rows = await ('email' in account
      ? found.where('customers.email', '=', account.email.trim().toLowerCase())
      : found.where('customers.id', '=', account.customerId)
    ).execute()
    const accountId = rows[0]?.id
    if (accountId === undefined) return
    const hour = Math.floor(scope.timeMs / HOUR_MS)
    const counted = `${scope.action}/${accountId}/${hour}`
    const count = this.#counts.get(counted) ?? 0
    if (count >= ADDRESSES_PER_HOUR_MAX) return
    const values = rows.map(({ organisation_id }) => ({
      ...callOf(scope),
      id: idOf([scope.action, organisation_id, accountId, scope.address, hour]),
      organisation_id,
      actor_id: accountId,
      object_id: accountId,
      object_name: '',
      changes: '[]',
    }))
    const written = await countEntries(async () => {
      const { numInsertedOrUpdatedRows = 0n } = await this.#catalog
        .insertInto('audit_entries')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return Number(numInsertedOrUpdatedRows)
    })
    if (written > 0) this.#counts.set(counted, count + 1)
  }
}

function idOf(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)
}
