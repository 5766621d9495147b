import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isSignUpOpenTo, type SignUpPolicy } from '../../settings/sign-up-policy.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import {
  canonicalEmail,
  findCustomerByEmail,
  handOver,
  insertCustomer,
  markEmailVerified,
  nameOfEmail,
} from '../customers/customers.ts'
import {
  acceptInvitation,
  hasPendingInvitation,
  requireAcceptable,
} from '../organisations/accept-invitation.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { signInToAccept, signUpNotAllowed } from './auth-errors.ts'

/** A caller whose mail address is verified, or who opened an invitation link that the inviter may have, too. */
export interface AdmittedCaller {
  readonly email: string
  readonly displayName?: string | undefined
  readonly invitationId?: string | undefined
  /** Whether the sign-in verifies the address. */
  readonly provesAddress: boolean
  /** Adds the customer to organisations that their groups at a provider give; `false` if there is none. */
  readonly join?: (customerId: CustomerId) => Promise<boolean>
  /** IANA name, for the first project of a new account. */
  readonly timezone: string
}

/** A caller with their account. */
export interface AdmittedCustomer {
  readonly customerId: CustomerId
  /** Whether the account has lost a password that its inviter could have set. */
  readonly isPasswordRemoved: boolean
}

/** Dependencies of admission. */
export interface AdmissionPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly signUp: SignUpPolicy
}

/** Whether the owner of an address may sign in: they have an account, or may create one. */
export async function maySignIn(ports: AdmissionPorts, address: string): Promise<boolean> {
  const email = canonicalEmail(address)
  const known = await findCustomerByEmail(ports.catalog, email)
  return known !== undefined || (await maySignUp(ports, email))
}

async function maySignUp({ catalog, clock, signUp }: AdmissionPorts, email: string): Promise<boolean> {
  return isSignUpOpenTo(signUp, email) || (await hasPendingInvitation(catalog, clock, email))
}

/**
 * The existing or new customer of an address, within a transaction. An invitation is accepted; a new customer without one
 * gets their own organisation with a project. Throws as `acceptInvitation`, `permission_denied` for an address that may
 * not create an account, and `failed_precondition` for a link that proves no address when the address has an account.
 */
export async function admitCustomer(
  ports: AdmissionPorts,
  caller: AdmittedCaller,
): Promise<AdmittedCustomer> {
  const { catalog: transaction, clock } = ports
  const { provesAddress, invitationId, timezone } = caller
  const email = canonicalEmail(caller.email)
  const known = await findCustomerByEmail(transaction, email)
  // `acceptInvitation` checks the invitation of a link, with a specific error.
  if (!known && invitationId === undefined && !(await maySignUp(ports, email))) {
    throw signUpNotAllowed()
  }
  if (known && !provesAddress) {
    // An invitation that can no longer be accepted has its own error.
    if (invitationId !== undefined) await requireAcceptable(transaction, clock, invitationId)
    throw signInToAccept()
  }
  if (known?.isUnproved) await handOver(transaction, known.id)
  if (known && !known.isEmailVerified) await markEmailVerified(transaction, known.id)
  const displayName = caller.displayName ?? nameOfEmail(email)
  const customerId =
    known?.id ??
    (await insertCustomer(transaction, clock, {
      email,
      displayName,
      isEmailVerified: provesAddress,
      isUnproved: !provesAddress,
      passwordHash: undefined,
    }))
  const hasJoined = (await caller.join?.(customerId)) ?? false
  if (invitationId !== undefined) await acceptInvitation(transaction, clock, { invitationId, customerId })
  else if (!known && !hasJoined) await createFirstProject(transaction, clock, { customerId, email, timezone })
  return { customerId, isPasswordRemoved: known?.isUnproved === true && known.passwordHash !== undefined }
}

async function createFirstProject(
  transaction: Catalog,
  clock: Clock,
  owner: { readonly customerId: CustomerId; readonly email: string; readonly timezone: string },
): Promise<void> {
  const { id } = await createOrganisation(transaction, clock, {
    customerId: owner.customerId,
    displayName: nameOfEmail(owner.email),
  })
  await insertProject(transaction, clock, {
    organisationId: id,
    displayName: 'Default',
    reportingTimezone: owner.timezone,
  })
}
