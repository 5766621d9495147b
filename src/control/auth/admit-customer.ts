import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isSignUpOpenTo, type SignUpPolicy } from '../../settings/sign-up-policy.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import {
  canonicalEmail,
  findCustomerByEmail,
  insertCustomer,
  markEmailVerified,
  nameOfEmail,
} from '../customers/customers.ts'
import { acceptInvitation, hasPendingInvitation } from '../organisations/invitations.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { signUpNotAllowed } from './auth-errors.ts'

/** Somebody who has shown to receive mail at an address. */
export interface VerifiedPerson {
  readonly email: string
  readonly displayName?: string | undefined
  readonly invitationId?: string | undefined
  /** IANA name, for the first project of who is new. */
  readonly timezone: string
}

/** Where people are admitted to, and who may be. */
export interface AdmissionPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly signUp: SignUpPolicy
}

/** Whether a person who receives mail at an address may sign in: they have an account, or may make one. */
export async function maySignIn(ports: AdmissionPorts, address: string): Promise<boolean> {
  const email = canonicalEmail(address)
  const known = await findCustomerByEmail(ports.catalog, email)
  return known !== undefined || (await maySignUp(ports, email))
}

async function maySignUp({ catalog, clock, signUp }: AdmissionPorts, email: string): Promise<boolean> {
  return isSignUpOpenTo(signUp, email) || (await hasPendingInvitation(catalog, clock, email))
}

/**
 * The customer of an address, as part of a transaction: the one there is, or a new one. An invitation is accepted; who is
 * new and comes without one gets an organisation of their own, with a project. Throws what `acceptInvitation` throws, and
 * `permission_denied` for who may not make an account.
 */
export async function admitCustomer(ports: AdmissionPorts, person: VerifiedPerson): Promise<CustomerId> {
  const { catalog: transaction, clock } = ports
  const email = canonicalEmail(person.email)
  const known = await findCustomerByEmail(transaction, email)
  // The invitation that came with a link is looked at when it is accepted, which tells what is wrong with it.
  if (!known && person.invitationId === undefined && !(await maySignUp(ports, email))) {
    throw signUpNotAllowed()
  }
  if (known && !known.isEmailVerified) await markEmailVerified(transaction, known.id)
  const displayName = person.displayName ?? nameOfEmail(email)
  const customerId =
    known?.id ??
    (await insertCustomer(transaction, clock, {
      email,
      displayName,
      isEmailVerified: true,
      passwordHash: undefined,
    }))
  const { invitationId, timezone } = person
  if (invitationId !== undefined) await acceptInvitation(transaction, clock, { invitationId, customerId })
  else if (!known) await createFirstProject(transaction, clock, { customerId, email, timezone })
  return customerId
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
