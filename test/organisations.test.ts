import { afterAll, beforeAll, expect, test } from 'vitest'
import { asProjectId } from '../src/contract/ids.ts'
import { type ClickHouse, openClickHouse } from '../src/store/clickhouse/client.ts'
import { countProjectRows } from '../src/store/clickhouse/project-rows.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { PRIVATE_KEY, reasonOf, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const ORGS = 'dashboard.orgs.v1.OrgsService'
const PROJECTS = 'dashboard.projects.v1.ProjectsService'
const AUTH = 'public.auth.v1.AuthService'
const ADMIN = { email: 'root@example.org', password: 'a long enough password' }

let service: TestService
let clickhouse: ClickHouse
/** Token of the account that the first start made. */
let root: string

beforeAll(async () => {
  service = await TestService.start({
    SERVICE_BOOTSTRAP_EMAIL: ADMIN.email,
    SERVICE_BOOTSTRAP_PASSWORD: ADMIN.password,
  })
  clickhouse = openClickHouse(service.clickhouse(), {
    application: 'millrace-test',
    connectionsMax: 4,
    requestTimeoutMs: 60_000,
  })
  root = String((await service.call(`${AUTH}/SignInWithEmail`, ADMIN)).body.token)
})

afterAll(async () => {
  await clickhouse?.close()
  await service?.destroy()
})

interface Answer {
  readonly status: number
  readonly reason: string
  readonly body: Record<string, unknown>
}

/** Calls as the owner of the token, in a project or outside of any. */
async function call(token: string, method: string, request: object, projectId?: string): Promise<Answer> {
  const { status, body } = await service.call(method, request, {
    'x-api-key': '',
    authorization: `Bearer ${token}`,
    ...(projectId === undefined ? {} : { 'x-project-id': projectId }),
  })
  return { status, body, reason: status === 200 ? '' : reasonOf(body) }
}

/** The answer of a call that must not be refused. */
async function ask(
  token: string,
  method: string,
  request: object,
  projectId?: string,
): Promise<Record<string, unknown>> {
  const answer = await call(token, method, request, projectId)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

async function createOrganisation(displayName: string): Promise<string> {
  const { org } = await ask(root, `${ORGS}/Create`, { displayName })
  return (org as { id: string }).id
}

async function createProject(orgId: string, displayName: string): Promise<string> {
  const { project } = await ask(root, `${PROJECTS}/Create`, { orgId, displayName })
  return (project as { id: string }).id
}

/** The token in the last mail to an address: no mail server is set, so that mails are in the log. */
async function readMailedToken(email: string): Promise<string> {
  return await waitFor('the mail', () => {
    const lines = service.output.stderr.split('\n').filter((line) => line.includes(email))
    return /[?&]token=([\w-]+)/.exec(lines.at(-1) ?? '')?.[1]
  })
}

async function invite(orgId: string, email: string, role: string): Promise<string> {
  await ask(root, `${ORGS}/InviteMember`, { orgId, email, role })
  const { body } = await service.call(`${AUTH}/CompleteMagicLink`, { token: await readMailedToken(email) })
  return String(body.token)
}

test('an invited person joins through the link in the mail, with the permissions of the role', async () => {
  const orgId = await createOrganisation('Viewed')
  const projectId = await createProject(orgId, 'Shop')
  const viewer = await invite(orgId, 'viewer@example.org', 'ORG_ROLE_VIEWER')
  expect(await ask(viewer, `${ORGS}/List`, {})).toEqual({
    orgs: [{ id: orgId, displayName: 'Viewed', role: 'ORG_ROLE_VIEWER' }],
  })
  expect(await ask(viewer, `${PROJECTS}/Get`, {}, projectId)).toEqual({
    project: {
      ...{ id: projectId, orgId, displayName: 'Shop', reportingTimezone: 'UTC', excludeBots: true },
      role: 'ORG_ROLE_VIEWER',
    },
  })
  expect(await ask(root, `${ORGS}/ListInvitations`, { orgId })).toMatchObject({
    invitations: [{ email: 'viewer@example.org', status: 'INVITATION_STATUS_ACCEPTED' }],
  })
})

test('admin methods are refused to members, and every method to users who are not members', async () => {
  const orgId = await createOrganisation('Guarded')
  const projectId = await createProject(orgId, 'Shop')
  const member = await invite(orgId, 'member@example.org', 'ORG_ROLE_MEMBER')
  const other = await createOrganisation('Elsewhere')
  const hidden = await createProject(other, 'Hidden')
  const cases: readonly [method: string, request: object, project?: string][] = [
    [`${ORGS}/UpdateDisplayName`, { orgId, displayName: 'Mine' }],
    [`${ORGS}/InviteMember`, { orgId, email: 'x@example.org', role: 'ORG_ROLE_VIEWER' }],
    [`${PROJECTS}/Create`, { orgId, displayName: 'Mine' }],
    [`${PROJECTS}/CreateApiKey`, { kind: 'API_KEY_KIND_PUBLIC' }, projectId],
    [`${PROJECTS}/ListApiKeys`, {}, projectId],
    [`${PROJECTS}/UpdateMeta`, { displayName: 'Mine' }, projectId],
    [`${PROJECTS}/UpdateFCMServiceJSON`, { fcmServiceJson: '' }, projectId],
    [`${PROJECTS}/Delete`, {}, projectId],
  ]
  for (const [method, request, project] of cases) {
    const refused = await call(member, method, request, project)
    expect([method, refused.status, refused.reason]).toEqual([method, 403, 'ORG_ADMIN_REQUIRED'])
  }
  expect(await call(member, `${ORGS}/Get`, { orgId: other })).toMatchObject({
    status: 403,
    reason: 'ORG_NOT_A_MEMBER',
  })
  expect(await call(member, `${PROJECTS}/Get`, {}, hidden)).toMatchObject({
    status: 403,
    reason: 'ORG_NOT_A_MEMBER',
  })
  expect(await call(member, `${PROJECTS}/Get`, {}, '999999')).toMatchObject({
    status: 404,
    reason: 'PROJECT_NOT_FOUND',
  })
})

test('a message that breaks a rule is refused with the name of the field', async () => {
  const orgId = await createOrganisation('Strict')
  const cases: readonly [method: string, request: object, field: RegExp][] = [
    [`${ORGS}/Create`, {}, /display_?name/i],
    [`${ORGS}/InviteMember`, { orgId, email: 'nobody', role: 'ORG_ROLE_VIEWER' }, /email/],
    [`${ORGS}/InviteMember`, { orgId, email: 'a@example.org' }, /role/],
    [`${PROJECTS}/Create`, { orgId, displayName: 'x'.repeat(256) }, /display_?name/i],
  ]
  for (const [method, request, field] of cases) {
    const { status, body } = await call(root, method, request)
    expect(status).toBe(400)
    expect(body.message).toMatch(field)
  }
})

async function sendWith(key: string): Promise<number> {
  const { status } = await service.call(BATCH_CREATE, { events: [makeEvent()] }, { 'x-api-key': key })
  return status
}

test('a deleted project takes no events any more, and its rows are erased', { timeout: 90_000 }, async () => {
  const orgId = await createOrganisation('Cleared')
  const projectId = await createProject(orgId, 'Shop')
  const created = await ask(root, `${PROJECTS}/CreateApiKey`, { kind: 'API_KEY_KIND_PRIVATE' }, projectId)
  const key = String(created.key)
  const id = asProjectId(Number(projectId))
  expect(await sendWith(key)).toBe(200)
  expect(await sendWith(PRIVATE_KEY)).toBe(200)
  await waitFor('the event', async () =>
    (await countProjectRows(clickhouse, id)).size > 0 ? true : undefined,
  )
  await ask(root, `${PROJECTS}/Delete`, {}, projectId)
  expect(await call(root, `${PROJECTS}/Get`, {}, projectId)).toMatchObject({
    status: 404,
    reason: 'PROJECT_NOT_FOUND',
  })
  await waitFor('the key to stop', async () => ((await sendWith(key)) === 401 ? true : undefined))
  await waitFor(
    'the rows to be gone',
    async () => ((await countProjectRows(clickhouse, id)).size === 0 ? true : undefined),
    60_000,
  )
  await waitFor('the event of the other project', async () =>
    (await countProjectRows(clickhouse, asProjectId(1))).has('events') ? true : undefined,
  )
  expect(await createProject(orgId, 'Shop')).not.toBe(projectId)
})
