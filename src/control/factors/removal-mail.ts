import type { CustomerId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { SendMail } from '../mail/mail-queue.ts'
import { escapeHtml, toOneLine } from '../mail/mail-text.ts'

/** What an account has lost, and by whom. */
export interface FactorRemoval {
  readonly customerId: CustomerId
  readonly by: 'owner' | 'admin'
  /** The name of the passkey that was removed; absent for the whole second factor. */
  readonly passkey?: string
}

const REASONS = {
  owner: 'If it was not you, sign in, end the other sessions of your account and set a new password.',
  admin:
    'An admin of your organisation did it. Set up a new one in Settings, Account; if you did not ask for it, tell your admins.',
} as const satisfies Record<FactorRemoval['by'], string>

/**
 * Mails the owner of an account that a second factor is gone: a thief who removed it must not go unseen. The mail becomes part of the
 * transaction.
 */
export async function tellOwner(
  sendMail: SendMail,
  catalog: Catalog,
  { customerId, by, passkey }: FactorRemoval,
): Promise<void> {
  const customer = await catalog
    .selectFrom('customers')
    .select('email')
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!customer) return
  const subject =
    passkey === undefined
      ? 'The second factor of your account was removed'
      : 'A passkey of your account was removed'
  const fact =
    passkey === undefined
      ? 'Your account signs in without a second factor.'
      : `The passkey ${toOneLine(passkey)} is no longer accepted.`
  const parts = [`${subject}. ${fact}`, REASONS[by]]
  const html = parts.map((part) => `<p>${escapeHtml(part)}</p>`).join('')
  await sendMail({ to: customer.email, subject, text: `${parts.join('\n\n')}\n`, html }, catalog)
}
