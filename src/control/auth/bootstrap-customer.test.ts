import { expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/local-postgres.ts'
import type { Clock } from '../../kernel/clock.ts'
import { bootstrapCatalog } from '../../store/catalog/projects.ts'
import { findCustomerByEmail } from '../customers/customers.ts'
import { listOrganisations } from '../organisations/organisations.ts'
import { bootstrapCustomer } from './bootstrap-customer.ts'
import { PasswordHasher } from './password-hasher.ts'

const clock: Clock = { nowMs: () => 1_800_000_000_000 }
const NO_KEYS = { publicKey: undefined, privateKey: undefined }
const GIVEN = { email: 'Owner@Example.org', password: 'correct horse' }

describeCatalog('the first account', (under) => {
  test('it is an admin of the first organisation, with what was given', async () => {
    await bootstrapCatalog(under.catalog, clock, NO_KEYS)
    const made = await bootstrapCustomer(under.catalog, clock, GIVEN)
    expect(made).toMatchObject({ email: 'owner@example.org', generatedPassword: undefined })
    const owner = await findCustomerByEmail(under.catalog, 'owner@example.org')
    expect(await new PasswordHasher().verify(owner?.passwordHash, GIVEN.password)).toBe(true)
    expect(owner && (await listOrganisations(under.catalog, owner.id))).toMatchObject([
      { displayName: 'Default', role: 'admin' },
    ])
  })

  test('without anything given its password is generated, and works', async () => {
    await bootstrapCatalog(under.catalog, clock, NO_KEYS)
    const made = await bootstrapCustomer(under.catalog, clock, { email: undefined, password: undefined })
    expect(made?.generatedPassword).toMatch(/^[\w-]{24}$/)
    const owner = await findCustomerByEmail(under.catalog, made?.email ?? '')
    expect(await new PasswordHasher().verify(owner?.passwordHash, made?.generatedPassword ?? '')).toBe(true)
  })

  test('of processes that start at once, one makes it, and a later start none', async () => {
    await bootstrapCatalog(under.catalog, clock, NO_KEYS)
    const made = await Promise.all(
      ['a@example.org', 'b@example.org', 'c@example.org'].map(
        async (email) => await bootstrapCustomer(under.catalog, clock, { email, password: 'correct horse' }),
      ),
    )
    expect(made.filter((customer) => customer !== undefined)).toHaveLength(1)
    expect(await bootstrapCustomer(under.catalog, clock, GIVEN)).toBeUndefined()
    expect(await under.catalog.selectFrom('customers').selectAll().execute()).toHaveLength(1)
    expect(await under.catalog.selectFrom('memberships').selectAll().execute()).toHaveLength(1)
  })
})
