// How long the lists of the console take in an organisation with 10,000 members: from the call to its answer as JSON, with the CPU time
// of this process. 5,000 personal access tokens and 10,000 sessions are spread over the members, 1,000 of whom have a role in a project.
// With `--postgres`, on a PostgreSQL server of its own.
import { parseArgs } from 'node:util'
import { type DescMessage, type MessageShape, toJsonString } from '@bufbuild/protobuf'
import { sql } from 'kysely'
import { OrgRole } from '../../src/contract/gen/dashboard/orgs/v1/org_pb.js'
import {
  ListInvitationsResponseSchema,
  ListMembersResponseSchema,
  OrgsService,
} from '../../src/contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import {
  SessionsService,
  SessionsServiceListResponseSchema,
} from '../../src/contract/gen/millrace/account/v1/sessions_service_pb.js'
import {
  TokensService,
  TokensServiceListResponseSchema,
} from '../../src/contract/gen/millrace/account/v1/tokens_service_pb.js'
import {
  ListResponseSchema,
  ProjectMembersService,
} from '../../src/contract/gen/millrace/projects/v1/project_members_service_pb.js'
import { asCustomerId, asOrganisationId, asProjectId } from '../../src/contract/ids.ts'
import { createSessionsService } from '../../src/control/account/account-services.ts'
import { createTokensService } from '../../src/control/account/tokens-service.ts'
import type { InvitationPorts } from '../../src/control/organisations/invitations.ts'
import { createOrganisationsService } from '../../src/control/organisations/organisations-service.ts'
import { createProjectMembersService } from '../../src/control/projects/project-members-service.ts'
import { monotonicMs } from '../../src/kernel/clock.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'
import { isPostgres } from '../../src/store/catalog/transaction.ts'
import { clientOf } from '../../test/harness/console-callers.ts'
import { openEmptyCatalog } from '../rig/catalog.ts'
import { runCommand } from '../rig/run-command.ts'
import { median } from '../summary.ts'
import type { Teardown } from '../teardown.ts'

const CALLS = 15
const ORG = 'o'
const ADMIN = 'account-000000'
const PROJECT = 1
const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const clock = { nowMs: () => NOW_MS }

const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '10000' },
    postgres: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
const MEMBERS = Number(options.members)

await runCommand('npm run bench:members -- [--members <number>] [--postgres]', measure)

async function measure(teardown: Teardown): Promise<void> {
  const catalog = await openEmptyCatalog(teardown, options)
  await fill(catalog)
  await reportOrganisation(catalog)
  await reportProject(catalog)
  await reportAccount(catalog)
}

async function reportOrganisation(catalog: Catalog): Promise<void> {
  // Reading sends no mail.
  const ports = { catalog, clock } as unknown as InvitationPorts
  const orgs = clientOf(OrgsService, createOrganisationsService(ports), { customerId: asCustomerId(ADMIN) })
  const list = (name: string, request: Parameters<typeof orgs.listMembers>[0]) =>
    report(
      `members: ${name}`,
      ListMembersResponseSchema,
      async () => await orgs.listMembers({ orgId: ORG, ...request }),
    )
  const { nextPageToken: middle } = await orgs.listMembers({
    orgId: ORG,
    pageSize: Math.min(1000, MEMBERS / 2),
  })
  await list('first page of 50', { pageSize: 50 })
  await list('a later page of 50', { pageSize: 50, pageToken: middle })
  await list('without a page size', {})
  await list('search for one', { pageSize: 50, search: `person-${MEMBERS - 1}@` })
  await list('search for all', { pageSize: 50, search: 'EXAMPLE' })
  await list('search for none', { pageSize: 50, search: 'nobody has this' })
  await list('admins', { pageSize: 5, role: OrgRole.ADMIN })
  await list('names of 1,000 authors', { customerIds: Array.from({ length: 1000 }, (_, at) => idOf(at * 7)) })
  await report(
    'invitations',
    ListInvitationsResponseSchema,
    async () => await orgs.listInvitations({ orgId: ORG }),
  )
  await report('a changed role', undefined, async () => {
    await orgs.updateMemberRole({ orgId: ORG, customerId: idOf(MEMBERS - 1), role: OrgRole.VIEWER })
    return undefined
  })
}

async function reportProject(catalog: Catalog): Promise<void> {
  const open = (customerId: string) =>
    clientOf(ProjectMembersService, createProjectMembersService({ catalog, clock }), {
      customerId: asCustomerId(customerId),
      project: { projectId: asProjectId(PROJECT), organisationId: asOrganisationId(ORG), role: 'admin' },
    })
  const list = (
    name: string,
    request: { readonly pageSize?: number; readonly search?: string },
    as = ADMIN,
  ) => report(`members of a project: ${name}`, ListResponseSchema, async () => await open(as).list(request))
  await list('first page of 50', { pageSize: 50 })
  await list('without a page size', {})
  await list('search for none', { pageSize: 50, search: 'nobody has this' })
  await list('first page of 50, as a guest', { pageSize: 50 }, idOf(MEMBERS - 3))
}

/** An account with as many sessions and tokens as one may have. */
async function reportAccount(catalog: Catalog): Promise<void> {
  const caller = { customerId: asCustomerId(ADMIN) }
  const sessions = clientOf(SessionsService, createSessionsService({ catalog, clock, providers: [] }), caller)
  await report('sessions', SessionsServiceListResponseSchema, async () => await sessions.list({}))
  const tokens = clientOf(TokensService, createTokensService({ catalog, clock }), caller)
  await report('tokens', TokensServiceListResponseSchema, async () => await tokens.list({}))
}

function idOf(index: number): string {
  return `account-${String(index).padStart(6, '0')}`
}

/** Accounts get ids and times in different orders, so that the order of joining is none of an index. */
async function fill(catalog: Catalog): Promise<void> {
  const numbers = (count: number) =>
    sql`WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(count - 1)})`
  const id = isPostgres(catalog) ? sql`'account-' || lpad(n::text, 6, '0')` : sql`printf('account-%06d', n)`
  const ofMember = isPostgres(catalog)
    ? sql`'account-' || lpad((n % ${sql.lit(MEMBERS)})::text, 6, '0')`
    : sql`printf('account-%06d', n % ${sql.lit(MEMBERS)})`
  await sql`INSERT INTO organisations (id, display_name, created_ms) VALUES (${ORG}, 'O', 1)`.execute(catalog)
  await sql`INSERT INTO projects (organisation_id, display_name, reporting_timezone, created_ms)
    VALUES (${ORG}, 'P', 'UTC', 1)`.execute(catalog)
  await sql`INSERT INTO customers (id, email, display_name, email_verified, created_ms) ${numbers(MEMBERS)}
    SELECT ${id}, 'person-' || n || '@example.org', 'Person ' || n, 1, 1 FROM numbers`.execute(catalog)
  await sql`INSERT INTO memberships (organisation_id, customer_id, role, created_ms) ${numbers(MEMBERS)}
    SELECT ${ORG}, ${id}, CASE WHEN n % 500 = 0 THEN 'admin' WHEN n % 10 = 7 THEN 'guest' ELSE 'member' END, n * 7919 % 10007
    FROM numbers`.execute(catalog)
  await sql`INSERT INTO project_roles (project_id, organisation_id, customer_id, role, created_ms) ${numbers(1000)}
    SELECT ${PROJECT}, ${ORG}, ${id}, 'viewer', 1 FROM numbers WHERE n < ${sql.lit(MEMBERS)}`.execute(catalog)
  await sql`INSERT INTO invitations (id, organisation_id, email, role, status, created_ms, expires_ms) ${numbers(200)}
    SELECT 'invitation-' || n, ${ORG}, 'new-' || n || '@example.org', 'member', 'pending', n, ${sql.lit(NOW_MS)} + 1 FROM numbers`.execute(
    catalog,
  )
  const addSessions = async (account: typeof id, count: number, name: string): Promise<unknown> =>
    await sql`INSERT INTO refresh_sessions (id, customer_id, sha256, method, created_ms, exchanged_ms, expires_ms) ${numbers(count)}
      SELECT ${name} || n, ${account}, ${name} || n, 'password', n, n, ${sql.lit(NOW_MS)} + n + 1 FROM numbers`.execute(
      catalog,
    )
  await addSessions(ofMember, 10_000, 'session-')
  await addSessions(sql`${ADMIN}`, 99, 'own-')
  const addTokens = async (account: typeof id, count: number, name: string): Promise<unknown> =>
    await sql`INSERT INTO personal_tokens (id, customer_id, display_name, scope, projects, sha256, masked, created_ms, expires_ms, last_used_ms)
      ${numbers(count)}
      SELECT ${name} || n, ${account}, 'CI', 'read', '', ${name} || n, 'pat_****', n, ${sql.lit(NOW_MS)} + 1, 0 FROM numbers`.execute(
      catalog,
    )
  await addTokens(ofMember, 5000, 'token-')
  await addTokens(sql`${ADMIN}`, 99, 'own-')
  // PostgreSQL does so by itself; SQLite has no statistics of the catalog.
  if (isPostgres(catalog)) await sql`ANALYZE`.execute(catalog)
}

/** Prints how long a call takes until its answer is text, and the CPU time of this process. */
async function report<Schema extends DescMessage>(
  name: string,
  schema: Schema | undefined,
  call: () => Promise<MessageShape<Schema> | undefined>,
): Promise<void> {
  const times: number[] = []
  const cpuTimes: number[] = []
  let bytes = 0
  for (let index = 0; index <= CALLS; index++) {
    const startMs = monotonicMs()
    const cpu = process.cpuUsage()
    const answer = await call()
    if (schema && answer) bytes = toJsonString(schema, answer as MessageShape<Schema>).length
    const { user, system } = process.cpuUsage(cpu)
    // The first call compiles.
    if (index === 0) continue
    times.push(monotonicMs() - startMs)
    cpuTimes.push((user + system) / 1000)
  }
  const most = Math.max(...times).toFixed(1)
  process.stdout.write(
    `${name} (${bytes} B): ${median(times).toFixed(1)} ms, at most ${most}; CPU ${median(cpuTimes).toFixed(1)} ms\n`,
  )
}
