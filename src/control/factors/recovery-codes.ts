import { randomBytes } from 'node:crypto'
import type { CustomerId } from '../../contract/ids.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

const CODE_COUNT = 10

/** No character looks like another one (Crockford's Base32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 60 bits, which cannot be guessed at the rate of the limiter, in groups that people can copy. */
const GROUPS = 3
const GROUP_LENGTH = 4

/** Dependencies of recovery codes. */
export interface RecoveryCodePorts {
  readonly catalog: Catalog
  readonly sealer: Sealer
}

/** Replaces the recovery codes of an account. Returns the new ones; only their digests are stored. */
export async function replaceRecoveryCodes(
  { catalog, sealer }: RecoveryCodePorts,
  customerId: CustomerId,
): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, generateCode)
  await catalog.deleteFrom('recovery_codes').where('customer_id', '=', customerId).execute()
  await catalog
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({ customer_id: customerId, digest: digestOf(sealer, { customerId, code }) })),
    )
    .execute()
  return codes
}

/** Uses up a recovery code; `false` for one that the account does not have, or no longer. */
export async function useRecoveryCode(
  { catalog, sealer }: RecoveryCodePorts,
  { customerId, code }: { readonly customerId: CustomerId; readonly code: string },
): Promise<boolean> {
  const { numDeletedRows } = await catalog
    .deleteFrom('recovery_codes')
    .where('customer_id', '=', customerId)
    .where('digest', '=', digestOf(sealer, { customerId, code }))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** How many recovery codes an account has left. */
export async function countRecoveryCodes(catalog: Catalog, customerId: CustomerId): Promise<number> {
  const { count } = await catalog
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The alphabet has 32 characters, so that five bits of a byte choose one without a bias. */
function generateCode(): string {
  const characters = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => ALPHABET.charAt(byte % 32))
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    characters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH).join(''),
  )
  return groups.join('-')
}

function digestOf(
  sealer: Sealer,
  { customerId, code }: { readonly customerId: CustomerId; readonly code: string },
): string {
  return sealer.digest({ purpose: `recovery-code/${customerId}`, text: normalise(code) })
}

/** People type capitals, spaces and other dashes, and take `o` for a zero and `l` or `i` for a one. */
function normalise(code: string): string {
  return code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
}
