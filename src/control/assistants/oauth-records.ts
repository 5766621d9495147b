import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Clock } from '../../kernel/clock.ts'
import { digestOf } from '../../store/catalog/api-keys.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { OauthRecordKind } from '../../store/catalog/schema/assistant-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { RecordCleaner } from './record-cleaner.ts'

/** Dependencies of the records. */
export interface RecordPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly cleaner: RecordCleaner
  /** Ends a consent with its codes and tokens, as an entry of the audit log. */
  readonly endGrant: (grantId: string) => Promise<void>
  /** The error of the library for a code or token that must not be used. */
  readonly invalidGrant: (reason: string) => Error
}

/**
 * The codes, tokens and requests of the authorization server in the catalog, by their digests: several processes share them, and
 * they survive a restart.
 */
export function createRecordAdapter(ports: RecordPorts, kind: OauthRecordKind): Adapter {
  const { catalog, clock, cleaner, endGrant, invalidGrant } = ports
  const findRow = async (id: string) =>
    await catalog
      .selectFrom('oauth_records')
      .selectAll()
      .where('sha256', '=', digestOf(id))
      .where('kind', '=', kind)
      .executeTakeFirst()
  return {
    upsert: async (id, payload, expiresIn = 0) => {
      await cleaner.clean()
      const { jti: _, grantId, ...stored } = payload
      const nowMs = clock.nowMs()
      const expires_ms = nowMs + expiresIn * 1000
      const grant_id = grantId ?? null
      await inTransaction(catalog, async (transaction) => {
        if (
          grantId !== undefined &&
          !(await prolongGrant(transaction, { grantId, kind, expiresMs: expires_ms }))
        )
          throw invalidGrant('the consent has ended')
        const row = { sha256: digestOf(id), kind, grant_id, payload: JSON.stringify(stored) }
        await transaction
          .insertInto('oauth_records')
          .values({ ...row, created_ms: nowMs, expires_ms })
          .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ payload: row.payload }))
          .execute()
      })
    },
    find: async (id) => {
      const row = await findRow(id)
      if (!row) return undefined
      const consumed = row.consumed_ms === 0 ? {} : { consumed: Math.floor(row.consumed_ms / 1000) }
      const grant = row.grant_id === null ? {} : { grantId: row.grant_id }
      const stored: AdapterPayload = JSON.parse(row.payload)
      return { ...stored, ...grant, ...consumed, jti: id }
    },
    // Of two requests at once with one code or token, one is from a thief, and there is no way to tell which.
    consume: async (id) => {
      const { numUpdatedRows } = await catalog
        .updateTable('oauth_records')
        .set({ consumed_ms: clock.nowMs() })
        .where('sha256', '=', digestOf(id))
        .where('consumed_ms', '=', 0)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return
      const grantId = (await findRow(id))?.grant_id ?? undefined
      if (grantId !== undefined) await endGrant(grantId)
      throw invalidGrant('it was used already')
    },
    destroy: async (id) => {
      await catalog.deleteFrom('oauth_records').where('sha256', '=', digestOf(id)).execute()
    },
    revokeByGrantId: async (grantId) => {
      await catalog
        .deleteFrom('oauth_records')
        .where('grant_id', '=', grantId)
        .where('kind', '=', kind)
        .execute()
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  }
}

/** A consent lasts as long as its newest token. False when it has ended. */
async function prolongGrant(
  transaction: Catalog,
  {
    grantId,
    kind,
    expiresMs,
  }: { readonly grantId: string; readonly kind: OauthRecordKind; readonly expiresMs: number },
): Promise<boolean> {
  const row = await transaction
    .selectFrom('oauth_grants')
    .select('expires_ms')
    .where('id', '=', grantId)
    .executeTakeFirst()
  if (!row) return false
  const isToken = kind === 'AccessToken' || kind === 'RefreshToken'
  if (isToken && expiresMs > row.expires_ms)
    await transaction
      .updateTable('oauth_grants')
      .set({ expires_ms: expiresMs })
      .where('id', '=', grantId)
      .execute()
  return true
}
