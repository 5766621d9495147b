import type { Role } from '../../src/contract/role.ts'
import { ADMIN, type Credentials } from './console-service.ts'
import type { TestService } from './service.ts'
import { waitFor } from './wait.ts'

const ORGS = 'dashboard.orgs.v1.OrgsService'
const AUTH = 'public.auth.v1.AuthService'

/** Calls a method as a signed-in user. Throws the answer of the service when it refuses. */
export async function callAs(
  service: TestService,
  who: Credentials,
  {
    method,
    body = {},
    projectId,
  }: { readonly method: string; readonly body?: object; readonly projectId?: string },
): Promise<Record<string, unknown>> {
  const { token } = await accept(service.call(`${AUTH}/SignInWithEmail`, who))
  return await accept(service.call(method, body, headersOf(String(token), projectId)))
}

/** The organisation that the service began with. */
export async function firstOrganisation(service: TestService): Promise<string> {
  const { orgs } = await callAs(service, ADMIN, { method: `${ORGS}/List` })
  const [first] = orgs as readonly { readonly id: string }[]
  if (!first) throw new Error('the administrator has no organisation')
  return first.id
}

/** A user who was invited with a role, opened the link of the mail, and set a password. */
export async function addColleague(service: TestService, role: Role): Promise<Credentials> {
  const who = { email: `${role}@example.org`, password: `the password of a ${role}` }
  const orgId = await firstOrganisation(service)
  const body = { orgId, email: who.email, role: `ORG_ROLE_${role.toUpperCase()}` }
  const before = service.output.stderr.length
  await callAs(service, ADMIN, { method: `${ORGS}/InviteMember`, body })
  // Without a mail server, links are in the log.
  const link = await waitFor(
    'the link of the invitation',
    () => /\/sign-in\?token=([\w-]+)/.exec(service.output.stderr.slice(before))?.[1],
  )
  const { token } = await accept(service.call(`${AUTH}/CompleteMagicLink`, { token: link }))
  const password = { password: who.password }
  const set = 'dashboard.customers.v1.CustomersService/SetPassword'
  await accept(service.call(set, password, headersOf(String(token))))
  return who
}

function headersOf(token: string, projectId?: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, ...(projectId && { 'x-project-id': projectId }) }
}

async function accept(call: ReturnType<TestService['call']>): Promise<Record<string, unknown>> {
  const { status, body } = await call
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
