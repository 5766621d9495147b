import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import {
  canonicalEmail,
  findCustomerByEmail,
  insertCustomer,
  markEmailVerified,
  nameOfEmail,
} from '../customers/customers.ts'
import { acceptInvitation } from '../organisations/invitations.ts'
import { createOrganisation } from '../organisations/organisations.ts'

/** Somebody who has shown to receive mail at an address. */
export interface VerifiedPerson {
  readonly email: string
  readonly displayName?: string | undefined
  readonly invitationId?: string | undefined
  /** IANA name, for the first project of who is new. */
  readonly timezone: string
}

/**
 * The customer of an address, as part of a transaction: the one there is, or a new one. An invitation is accepted; who is
 * new and was not invited gets an organisation of their own, with a project. Throws what `acceptInvitation` throws.
 */
export async function admitCustomer(
  transaction: Catalog,
  clock: Clock,
  person: VerifiedPerson,
): Promise<CustomerId> {
  const email = canonicalEmail(person.email)
  const known = await findCustomerByEmail(transaction, email)
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
