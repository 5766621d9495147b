import type { CustomerId, OrganisationId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { hasSecondFactor } from '../../store/catalog/has-second-factor.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { notSetUp, ownFactorRequired } from '../factors/factor-errors.ts'
import { tellOwner } from '../factors/removal-mail.ts'
import { removeSecondFactor, requireRecentProof } from '../factors/second-factor.ts'
import { invalidField } from '../invalid-field.ts'
import type { SendMail } from '../mail/mail-queue.ts'
import { findMemberToChange, type MemberChange } from './members.ts'
import { type MembershipKey, requireMembership } from './membership.ts'
import { type Organisation, readOrganisation } from './organisations.ts'

/** Whether the members of an organisation need a second factor; `false` for an unknown organisation. */
export async function isSecondFactorRequired(catalog: Catalog, id: OrganisationId): Promise<boolean> {
  const row = await catalog
    .selectFrom('organisations')
    .select('second_factor_required')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.second_factor_required === 1
}

/** The names of a customer's organisations that require a second factor. */
export async function listRequiringOrganisations(
  catalog: Catalog,
  customerId: CustomerId,
): Promise<string[]> {
  const rows = await catalog
    .selectFrom('organisations')
    .innerJoin('memberships', 'memberships.organisation_id', 'organisations.id')
    .select('organisations.display_name')
    .where('memberships.customer_id', '=', customerId)
    .where('organisations.second_factor_required', '=', 1)
    .orderBy('organisations.display_name')
    .execute()
  return rows.map(({ display_name }) => display_name)
}

/** Dependencies of changes by an admin. */
interface RulePorts {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** A change of the rule by an admin, in their session. */
export interface RuleChange extends MembershipKey {
  readonly sessionId: string
  readonly isRequired: boolean
}

/** Requires a second factor of the members, or no longer; requires an admin who has proved their own lately. */
export async function changeSecondFactorRule(
  { catalog, clock }: RulePorts,
  change: RuleChange,
): Promise<Organisation> {
  return await inTransaction(catalog, async (transaction) => {
    await requireMembership(transaction, { ...change, needed: 'admin' })
    if (!(await hasSecondFactor(transaction, change.customerId))) throw ownFactorRequired()
    await requireRecentProof({ catalog: transaction, clock }, change)
    await transaction
      .updateTable('organisations')
      .set({ second_factor_required: change.isRequired ? 1 : 0 })
      .where('id', '=', change.organisationId)
      .execute()
    return await readOrganisation(transaction, change)
  })
}

/**
 * Removes the second factor of a member who has lost it, and ends their sessions; requires an admin of every organisation of the
 * member, because all of them rely on it. Throws `failed_precondition`, and `invalid_argument` for the caller's own account.
 */
export async function resetSecondFactor(
  { catalog, clock, sendMail }: RulePorts & { readonly sendMail: SendMail },
  change: MemberChange & { readonly sessionId: string },
): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const { customerId } = await findMemberToChange(transaction, change)
    if (customerId === change.customerId)
      throw invalidField('customerId', 'is your own account; remove its second factor in its settings')
    await requireRecentProof({ catalog: transaction, clock }, change)
    if (await isBeyond(transaction, change)) throw memberOfOthers()
    if (!(await removeSecondFactor(transaction, customerId))) throw notSetUp()
    await transaction.deleteFrom('refresh_sessions').where('customer_id', '=', customerId).execute()
    await tellOwner(sendMail, transaction, { customerId, by: 'admin' })
  })
}

/** Whether the member has an organisation of which the caller is no admin. */
async function isBeyond(catalog: Catalog, { memberId, customerId }: MemberChange): Promise<boolean> {
  const administered = catalog
    .selectFrom('memberships')
    .select('organisation_id')
    .where('customer_id', '=', customerId)
    .where('role', '=', 'admin')
  const row = await catalog
    .selectFrom('memberships')
    .select('organisation_id')
    .where('customer_id', '=', memberId)
    .where('organisation_id', 'not in', administered)
    .executeTakeFirst()
  return row !== undefined
}

function memberOfOthers(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'MEMBER_OF_OTHER_ORGS',
    message:
      'the member belongs to organisations that you do not administer; ask the operator of the service to remove the second factor',
  })
}
