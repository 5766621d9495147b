import { expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import type { Clock } from '../../kernel/clock.ts'
import { PasswordHasher } from '../auth/password-hasher.ts'
import { findCustomerByEmail } from '../customers/customers.ts'
import { listOrganisations } from '../organisations/organisations.ts'
import { bootstrapAccount } from './first-account.ts'
import { bootstrapProject } from './first-project.ts'

const clock: Clock = { nowMs: () => 1_800_000_000_000 }
const NO_KEYS = { publicKey: undefined, privateKey: undefined }
const CONFIGURED = { email: 'Owner@Example.org', password: 'correct horse' }

describeCatalog('the first account', (under) => {
  test('the first account is an admin of the first organisation, with the configured address and password', async () => {
    await bootstrapProject(under.catalog, clock, NO_KEYS)
    const made = await bootstrapAccount(under.catalog, clock, CONFIGURED)
    expect(made).toMatchObject({ email: 'owner@example.org', generatedPassword: undefined })
    const owner = await findCustomerByEmail(under.catalog, 'owner@example.org')
    expect(await new PasswordHasher().verify(owner?.passwordHash, CONFIGURED.password)).toBe(true)
    expect(owner && (await listOrganisations(under.catalog, owner.id))).toMatchObject([
      { displayName: 'Default', role: 'admin' },
    ])
  })

  test('without a configured password, one is generated and signs in', async () => {
    await bootstrapProject(under.catalog, clock, NO_KEYS)
    const made = await bootstrapAccount(under.catalog, clock, { email: undefined, password: undefined })
    expect(made?.generatedPassword).toMatch(/^[\w-]{24}$/)
    const owner = await findCustomerByEmail(under.catalog, made?.email ?? '')
    expect(await new PasswordHasher().verify(owner?.passwordHash, made?.generatedPassword ?? '')).toBe(true)
  })

  test('of concurrent starts one creates the account, and a later start creates none', async () => {
    await bootstrapProject(under.catalog, clock, NO_KEYS)
    const made = await Promise.all(
      ['a@example.org', 'b@example.org', 'c@example.org'].map(
        async (email) => await bootstrapAccount(under.catalog, clock, { email, password: 'correct horse' }),
      ),
    )
    expect(made.filter((customer) => customer !== undefined)).toHaveLength(1)
    expect(await bootstrapAccount(under.catalog, clock, CONFIGURED)).toBeUndefined()
    expect(await under.catalog.selectFrom('customers').selectAll().execute()).toHaveLength(1)
    expect(await under.catalog.selectFrom('memberships').selectAll().execute()).toHaveLength(1)
  })
})
