import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeCatalog } from '../../../../test/harness/describe-catalog.ts'
import { writeUntilKilled } from '../../../../test/harness/killed-writer.ts'
import type { Catalog } from '../catalog.ts'
import type { AuditChange, AuditEntryTable } from '../schema/audit-tables.ts'
import { inTransaction } from '../transaction.ts'
import { type AuditScope, recordChanges } from './audit-scope.ts'

const SCOPE: AuditScope = {
  action: 'organisation.update',
  object: 'organisation',
  actor: { kind: 'account', id: 'ada', name: '' },
  credential: { kind: 'session', id: 's1' },
  address: '192.0.2.7',
  requestId: 'r1',
  organisationId: undefined,
  projectId: undefined,
  objectId: '',
  timeMs: 1000,
}

function organisation(id: string, display_name = id) {
  return { id, display_name, created_ms: 1 }
}

async function readEntries(catalog: Catalog): Promise<AuditEntryTable[]> {
  return await catalog.selectFrom('audit_entries').selectAll().orderBy('organisation_id').execute()
}

async function readChanges(catalog: Catalog): Promise<AuditChange[]> {
  return (await readEntries(catalog)).flatMap(({ changes }) => JSON.parse(changes))
}

async function addCustomer(catalog: Catalog, id: string): Promise<void> {
  const row = { id, email: `${id}@example.org`, display_name: '', password_hash: null, email_verified: 1 }
  await catalog
    .insertInto('customers')
    .values({ ...row, created_ms: 1 })
    .execute()
}

async function addProject(catalog: Catalog, id: number): Promise<void> {
  const row = { id, organisation_id: 'o', display_name: 'Shop', reporting_timezone: 'UTC', created_ms: 1 }
  await catalog
    .insertInto('projects')
    .values({ ...row, fcm_sealed: null, fcm_redacted: null })
    .execute()
}

async function failInside(work: Promise<unknown>): Promise<void> {
  await work
  throw new Error('no')
}

describeCatalog('recorded changes', (under) => {
  const rename = async (catalog: Catalog, id: string, name: string): Promise<unknown> =>
    await catalog.updateTable('organisations').set({ display_name: name }).where('id', '=', id).execute()

  test('a transaction has its caller, its object and the values before and after in an entry', async () => {
    const { catalog } = under
    await catalog.insertInto('organisations').values(organisation('o', 'Old')).execute()
    await recordChanges(
      SCOPE,
      async () => await inTransaction(catalog, async (transaction) => await rename(transaction, 'o', 'New')),
    )
    expect(await readEntries(catalog)).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        organisation_id: 'o',
        time_ms: 1000,
        actor_kind: 'account',
        actor_id: 'ada',
        actor_name: '',
        credential_kind: 'session',
        credential_id: 's1',
        address: '192.0.2.7',
        action: 'organisation.update',
        object_id: 'o',
        object_name: 'New',
        project_id: null,
        changes: JSON.stringify([
          { object: 'organisation', id: 'o', field: 'display_name', before: 'Old', after: 'New' },
        ]),
        request_id: 'r1',
      },
    ])
  })

  test('a statement outside of a transaction has an entry too', async () => {
    const { catalog } = under
    await recordChanges(
      SCOPE,
      async () => await catalog.insertInto('organisations').values(organisation('o')).execute(),
    )
    expect(await readChanges(catalog)).toEqual([
      { object: 'organisation', id: 'o', field: 'display_name', before: null, after: 'o' },
    ])
  })

  test.each(['in a transaction', 'outside of one'])(
    'a change %s without its entry does not happen',
    async (place) => {
      const { catalog } = under
      await catalog.insertInto('organisations').values(organisation('o', 'Old')).execute()
      await sql`ALTER TABLE audit_entries RENAME TO lost`.execute(catalog)
      const change = recordChanges(SCOPE, async () =>
        place === 'outside of one'
          ? await rename(catalog, 'o', 'New')
          : await inTransaction(catalog, async (transaction) => await rename(transaction, 'o', 'New')),
      )
      await expect(change).rejects.toThrow('audit_entries')
      const names = await catalog.selectFrom('organisations').select('display_name').execute()
      expect(names).toEqual([{ display_name: 'Old' }])
    },
  )

  test('an entry without its change does not exist: a failed transaction leaves neither', async () => {
    const { catalog } = under
    await catalog.insertInto('organisations').values(organisation('o')).execute()
    const failed = recordChanges(
      SCOPE,
      async () =>
        await inTransaction(catalog, async (transaction) => failInside(rename(transaction, 'o', 'New'))),
    )
    await expect(failed).rejects.toThrow('no')
    const refused = recordChanges(
      SCOPE,
      async () => await catalog.insertInto('organisations').values(organisation('o')).execute(),
    )
    await expect(refused).rejects.toThrow()
    expect(await readEntries(catalog)).toEqual([])
  })

  test('a process that is killed before any of its statements leaves a change with its entry, or neither', async () => {
    const { catalog, place } = under
    // It begins, reads the row, changes it, writes the entry and commits; the sixth would come after that.
    const statements = [1, 2, 3, 4, 5, 6]
    for (const statement of statements)
      await catalog
        .insertInto('organisations')
        .values(organisation(`o${statement}`, 'Old'))
        .execute()
    const outcomes = await Promise.all(
      statements.map(
        async (statement) =>
          await writeUntilKilled({ place, scope: SCOPE, id: `o${statement}`, name: 'New', statement }),
      ),
    )
    expect(outcomes).toEqual([...Array(5).fill('killed'), 'ended'])
    const changed = await catalog
      .selectFrom('organisations')
      .select('id')
      .where('display_name', '=', 'New')
      .execute()
    expect(changed).toEqual([{ id: 'o6' }])
    expect(await readChanges(catalog)).toEqual([
      { object: 'organisation', id: 'o6', field: 'display_name', before: 'Old', after: 'New' },
    ])
  })

  test('statements that change nothing, unrecorded tables and work of no caller leave no entry', async () => {
    const { catalog } = under
    await catalog.insertInto('organisations').values(organisation('o')).execute()
    await rename(catalog, 'o', 'New')
    await recordChanges(SCOPE, async () => {
      await rename(catalog, 'unknown', 'New')
      await catalog.deleteFrom('organisations').where('id', '=', 'unknown').execute()
      await catalog.insertInto('leases').values({ name: 'l', holder: 'h', expires_ms: 1 }).execute()
      await catalog.selectFrom('organisations').selectAll().execute()
    })
    expect(await readEntries(catalog)).toEqual([])
  })

  test('concurrent calls have entries of their own', async () => {
    const { catalog } = under
    const ids = Array.from({ length: 8 }, (_, index) => `o${index}`)
    await Promise.all(
      ids.map(
        async (id) =>
          await recordChanges({ ...SCOPE, requestId: id }, async () => {
            await inTransaction(
              catalog,
              async (transaction) =>
                await transaction.insertInto('organisations').values(organisation(id)).execute(),
            )
          }),
      ),
    )
    const entries = await readEntries(catalog)
    expect(entries.map(({ object_id, request_id }) => [object_id, request_id])).toEqual(
      ids.map((id) => [id, id]),
    )
  })

  test('concurrent changes of a row have values before and after that make a chain', async () => {
    const { catalog } = under
    await catalog.insertInto('organisations').values(organisation('o', 'first')).execute()
    const names = Array.from({ length: 12 }, (_, index) => `name ${index}`)
    await Promise.all(
      names.map(async (name) => await recordChanges(SCOPE, async () => await rename(catalog, 'o', name))),
    )
    const { display_name: last } = await catalog
      .selectFrom('organisations')
      .select('display_name')
      .executeTakeFirstOrThrow()
    const befores = (await readChanges(catalog)).map(({ before }) => before)
    expect([...befores, last].sort()).toEqual(['first', ...names].sort())
  })

  test('a sign-in and a sign-out are of the account of the session, in each of its organisations', async () => {
    const { catalog } = under
    await addCustomer(catalog, 'ada')
    for (const id of ['a', 'b', 'c'])
      await catalog.insertInto('organisations').values(organisation(id)).execute()
    const member = { customer_id: 'ada', role: 'viewer', created_ms: 1 } as const
    for (const organisation_id of ['a', 'b'])
      await catalog
        .insertInto('memberships')
        .values({ ...member, organisation_id })
        .execute()
    const scope = { ...SCOPE, action: 'session.sign-in', object: 'session', actor: undefined }
    await recordChanges(scope, async () => {
      const session = { id: 's2', customer_id: 'ada', sha256: 'secret-digest', method: 'password' } as const
      await catalog
        .insertInto('refresh_sessions')
        .values({ ...session, created_ms: 1, exchanged_ms: 0, expires_ms: 9 })
        .execute()
    })
    const entries = await readEntries(catalog)
    expect(entries.map(({ organisation_id }) => organisation_id)).toEqual(['a', 'b'])
    expect(entries[0]).toMatchObject({ actor_id: 'ada', credential_kind: 'session', credential_id: 's2' })
    expect(JSON.stringify(entries)).not.toContain('secret-digest')
    await recordChanges(
      { ...scope, action: 'session.sign-out' },
      async () => await catalog.deleteFrom('refresh_sessions').where('id', '=', 's2').execute(),
    )
    const ended = (await readEntries(catalog)).filter(({ action }) => action === 'session.sign-out')
    expect(ended.map(({ organisation_id, actor_id }) => [organisation_id, actor_id])).toEqual([
      ['a', 'ada'],
      ['b', 'ada'],
    ])
  })

  test('an entry has as many changes as fit into it', async () => {
    const { catalog } = under
    const rows = Array.from({ length: 60 }, (_, index) => organisation(`o${index}`, 'x'.repeat(1000)))
    await recordChanges(
      { ...SCOPE, organisationId: 'o' },
      async () => await catalog.insertInto('organisations').values(rows).execute(),
    )
    const [entry] = await readEntries(catalog)
    const changes = await readChanges(catalog)
    expect(changes.length).toBeGreaterThan(20)
    expect(changes.every(({ after }) => after?.length === 300)).toBe(true)
    expect(entry?.changes.length).toBeLessThan(15_000)
  })

  test('of a secret, only that it is set and that it changed is recorded', async () => {
    const { catalog } = under
    await addCustomer(catalog, 'ada')
    const set = async (password_hash: string | null): Promise<void> =>
      void (await recordChanges(
        { ...SCOPE, object: 'account', organisationId: 'o', timeMs: 1 },
        async () => await catalog.updateTable('customers').set({ password_hash }).execute(),
      ))
    await set('first-hash')
    await set('second-hash')
    await set(null)
    const found = (await readChanges(catalog)).map(({ before, after }) => `${before}>${after}`)
    expect(found.sort()).toEqual(['>set', 'set>', 'set>changed'])
  })

  test('an upsert has the values that it replaced', async () => {
    const { catalog } = under
    await catalog.insertInto('organisations').values(organisation('o')).execute()
    const write = async (from_address: string): Promise<void> => {
      const fields = { kind: 'smtp', from_address, reply_to: '', sealed_config: 'x', updated_ms: 1 } as const
      await recordChanges(
        { ...SCOPE, object: 'email-provider' },
        async () =>
          await catalog
            .insertInto('email_providers')
            .values({ organisation_id: 'o', ...fields })
            .onConflict((conflict) => conflict.column('organisation_id').doUpdateSet(fields))
            .execute(),
      )
    }
    await write('a@example.org')
    await write('b@example.org')
    const changes = (await readChanges(catalog)).filter(({ field }) => field === 'from_address')
    expect(changes.map(({ before, after }) => `${before}>${after}`).sort()).toEqual([
      'a@example.org>b@example.org',
      'null>a@example.org',
    ])
  })

  test('an entry is about the object of its action, however many rows go with it', async () => {
    const { catalog } = under
    await catalog.insertInto('organisations').values(organisation('o')).execute()
    await addProject(catalog, 7)
    const goals = Array.from({ length: 80 }, (_, index) => ({
      id: `g${index}`,
      project_id: 7,
      name: 'x',
      event: null,
      page_pattern: '/x',
      value_property: '',
      created_ms: 1,
      updated_ms: 1,
    }))
    await catalog.insertInto('goals').values(goals).execute()
    await recordChanges({ ...SCOPE, action: 'project.delete', object: 'project' }, async () => {
      await inTransaction(catalog, async (transaction) => {
        await transaction.deleteFrom('goals').where('project_id', '=', 7).execute()
        await transaction.deleteFrom('projects').where('id', '=', 7).execute()
      })
    })
    const [entry] = await readEntries(catalog)
    expect(entry).toMatchObject({ object_id: '7', object_name: 'Shop', organisation_id: 'o' })
    expect((await readChanges(catalog)).length).toBeLessThanOrEqual(100)
  })
})
