import { type Caller, projectRequired } from '../../access/caller.ts'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { ServiceFamily } from '../../contract/service-traits.ts'
import { maskApiKey } from '../../store/catalog/api-keys.ts'
import type { KeyResolver } from '../../store/catalog/key-resolver.ts'
import { requireRole } from '../organisations/roles.ts'
import {
  credentialRequired,
  invalidKey,
  invalidToken,
  keyRequired,
  projectNotFound,
  publicKeyNotAllowed,
  tokenRequired,
} from './access-errors.ts'
import type { AccessTokens, TokenClaims } from './access-token.ts'
import type { FoundAccess, ProjectAccessReader } from './project-access-reader.ts'
import { findAccessRule, type MethodName } from './role-table.ts'
import type { SessionReader } from './session-reader.ts'

/** A call whose body is not read yet. */
export interface CallToAdmit extends MethodName {
  readonly headers: Headers
}

/** Dependencies of the gate. */
export interface AccessPorts {
  readonly keys: KeyResolver
  readonly tokens: AccessTokens
  readonly projects: ProjectAccessReader
  readonly sessions: SessionReader
}

type Admit = (ports: AccessPorts, call: CallToAdmit) => Promise<Caller>

/** The authentication of each package family of services (docs/access.md). */
const FAMILIES = {
  sdk: admitKey,
  shared: admitKeyOrToken,
  dashboard: admitToken,
  millrace: admitMillrace,
  public: async () => ({ kind: 'anonymous' }),
  // Health and reflection reveal only what docs and sources contain.
  grpc: async () => ({ kind: 'anonymous' }),
} as const satisfies Record<ServiceFamily, Admit>

const ADMITS: ReadonlyMap<string, Admit> = new Map(Object.entries(FAMILIES))

/** The form of a project id in the header: within UInt32, so that every database accepts it. */
const PROJECT_ID = /^[1-9]\d{0,8}$/

/**
 * Authenticates and authorises a call, except for the role in an organisation that only the message names. Throws
 * `unauthenticated`, `permission_denied`, `not_found` and, when a required project is missing, `invalid_argument`.
 */
export async function admitCall(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  const admit = ADMITS.get(call.service.split('.', 1)[0] ?? '')
  if (!admit) throw new Error(`no family of services has ${call.service}`)
  return await admit(ports, call)
}

async function admitKey({ keys }: AccessPorts, { headers }: CallToAdmit): Promise<Caller> {
  const key = headers.get('x-api-key') ?? ''
  if (key === '') throw keyRequired()
  const grant = await keys.resolve(key)
  if (!grant) throw invalidKey()
  const { projectId, kind: keyKind, keyId } = grant
  return { kind: 'key', projectId, keyKind, keyId, masked: maskApiKey(key) }
}

async function admitKeyOrToken(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  if ((call.headers.get('x-api-key') ?? '') === '') {
    if (call.headers.get('authorization') === null) throw credentialRequired()
    return await admitToken(ports, call)
  }
  const caller = await admitKey(ports, call)
  if (caller.kind === 'key' && caller.keyKind === 'public') throw publicKeyNotAllowed()
  return caller
}

/** Methods of a project accept a private key or a token; those of an account or an organisation require a token. */
async function admitMillrace(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  const isOfProject = findAccessRule(call)?.scope === 'project'
  return isOfProject ? await admitKeyOrToken(ports, call) : await admitToken(ports, call)
}

async function admitToken(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  const rule = findAccessRule(call)
  if (!rule) throw new Error(`the role table has no ${call.service}/${call.method}`)
  const claims = await readToken(ports.tokens, call.headers)
  await ports.sessions.require(claims, rule.session)
  const found = await readProject(ports.projects, call.headers, claims)
  if (rule.scope === 'project') {
    if (!found) throw projectRequired()
    requireRole({ role: found.role, needed: rule.least })
    if (found.isSecondFactorRequired) await ports.sessions.requireSecondFactor(claims)
  }
  return { kind: 'customer', ...claims, ...(found && { project: found }) }
}

async function readToken(tokens: AccessTokens, headers: Headers): Promise<TokenClaims> {
  const sent = headers.get('authorization')
  if (sent === null) throw tokenRequired()
  const token = /^bearer +([\w.-]+) *$/i.exec(sent)?.[1]
  if (token === undefined) throw invalidToken()
  return await tokens.read(token)
}

async function readProject(
  projects: ProjectAccessReader,
  headers: Headers,
  { customerId }: TokenClaims,
): Promise<FoundAccess | undefined> {
  const sent = headers.get('x-project-id') ?? ''
  if (sent === '') return undefined
  return await projects.read({ customerId, projectId: parseProjectId(sent) })
}

function parseProjectId(text: string): ProjectId {
  if (!PROJECT_ID.test(text)) throw projectNotFound()
  return asProjectId(Number(text))
}
