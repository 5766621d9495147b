import { randomUUID } from 'node:crypto'
import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { isUniqueViolation } from '../../store/catalog/transaction.ts'
import { passkeyInUse, passkeyNotFound, tooManyPasskeys } from './factor-errors.ts'

/** Bounds the list, which has no pages and is sent to browsers with each proof. */
const PASSKEYS_PER_ACCOUNT_MAX = 20

/** What a browser reports about a new passkey, after it is checked. */
export interface NewPasskey {
  /** The host name for which it was created. */
  readonly rpId: string
  /** Base64url. */
  readonly credentialId: string
  /** COSE key, in base64url. */
  readonly publicKey: string
  /** How browsers reach it. */
  readonly transports: readonly string[]
  readonly signCount: number
}

/** A passkey of an account. */
export interface Passkey extends NewPasskey {
  readonly id: string
  readonly customerId: CustomerId
  readonly displayName: string
  readonly createdMs: number
  /** 0 if it was never used. */
  readonly lastUsedMs: number
}

/** A passkey of one account. */
export interface PasskeyKey {
  readonly customerId: CustomerId
  readonly id: string
}

/** The passkeys of an account, oldest first. */
export async function listPasskeys(catalog: Catalog, customerId: CustomerId): Promise<Passkey[]> {
  const rows = await catalog
    .selectFrom('passkeys')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    customerId,
    displayName: row.display_name,
    rpId: row.rp_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    transports: JSON.parse(row.transports),
    signCount: row.sign_count,
    createdMs: row.created_ms,
    lastUsedMs: row.last_used_ms,
  }))
}

/**
 * Stores a passkey, within a transaction. Throws `failed_precondition` at the limit, and `already_exists` for one that is stored.
 */
export async function insertPasskey(
  catalog: Catalog,
  clock: Clock,
  passkey: NewPasskey & { readonly customerId: CustomerId; readonly displayName: string },
): Promise<Passkey> {
  const { customerId, displayName } = passkey
  requireRoom(await listPasskeys(catalog, customerId))
  const stored = { ...passkey, id: randomUUID(), createdMs: clock.nowMs(), lastUsedMs: 0 }
  try {
    await catalog
      .insertInto('passkeys')
      .values({
        id: stored.id,
        customer_id: customerId,
        display_name: displayName,
        rp_id: passkey.rpId,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        transports: JSON.stringify(passkey.transports),
        sign_count: passkey.signCount,
        created_ms: stored.createdMs,
        last_used_ms: stored.lastUsedMs,
      })
      .execute()
  } catch (thrown) {
    if (isUniqueViolation(thrown)) throw passkeyInUse()
    throw thrown
  }
  return stored
}

/** Throws `failed_precondition` if an account with these passkeys may have no other one. */
export function requireRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length >= PASSKEYS_PER_ACCOUNT_MAX) throw tooManyPasskeys(PASSKEYS_PER_ACCOUNT_MAX)
}

/** Renames a passkey, and returns it. Throws `not_found`. */
export async function renamePasskey(
  catalog: Catalog,
  { customerId, id, displayName }: PasskeyKey & { readonly displayName: string },
): Promise<Passkey> {
  await catalog
    .updateTable('passkeys')
    .set({ display_name: displayName })
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .execute()
  const passkey = (await listPasskeys(catalog, customerId)).find((listed) => listed.id === id)
  if (!passkey) throw passkeyNotFound()
  return passkey
}

/** Deletes a passkey, within a transaction, and returns it. Throws `not_found`. */
export async function deletePasskey(catalog: Catalog, { customerId, id }: PasskeyKey): Promise<Passkey> {
  const passkey = (await listPasskeys(catalog, customerId)).find((listed) => listed.id === id)
  if (!passkey) throw passkeyNotFound()
  await catalog.deleteFrom('passkeys').where('id', '=', passkey.id).execute()
  return passkey
}

/**
 * Records the counter of a signature; `false` if it does not follow the newest one, because a copy of the passkey signed that. The
 * condition is part of the statement, so that of concurrent signatures with one counter only the first succeeds.
 */
export async function advanceCounter(
  catalog: Catalog,
  clock: Clock,
  { customerId, id, signCount }: PasskeyKey & { readonly signCount: number },
): Promise<boolean> {
  const { numUpdatedRows } = await catalog
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_ms: clock.nowMs() })
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    // Passkeys that several devices share count nothing: their counter stays 0 (WebAuthn, section 6.1.1).
    .where('sign_count', signCount === 0 ? '=' : '<', signCount)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
