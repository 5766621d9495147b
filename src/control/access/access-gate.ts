import { type Caller, projectRequired } from '../../access/caller.ts'
import { parseProjectId } from '../../contract/ids.ts'
import type { ServiceFamily } from '../../contract/service-traits.ts'
import { type AddressRanges, clientAddress } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type ApiKeyGrant, maskApiKey } from '../../store/catalog/api-keys.ts'
import { isAssistantToken } from '../../store/catalog/assistant-grants.ts'
import { findLimitRefusal } from '../../store/catalog/key-limits.ts'
import type { KeyResolver } from '../../store/catalog/key-resolver.ts'
import { isPersonalToken } from '../../store/catalog/personal-tokens.ts'
import { requireRole } from '../organisations/roles.ts'
import {
  credentialRequired,
  invalidKey,
  invalidToken,
  keyAsBearer,
  keyRequired,
  projectNotFound,
  publicKeyNotAllowed,
  tokenRequired,
} from './access-errors.ts'
import type { AccessTokens, TokenClaims } from './access-token.ts'
import { admitPersonalToken } from './admit-personal-token.ts'
import type { FoundAccess, ProjectAccessReader } from './project-access-reader.ts'
import { findAccessRule, type MethodName } from './role-table.ts'
import type { SessionReader } from './session-reader.ts'
import type { TokenReader } from './token-reader.ts'

/** A call whose body is not read yet. */
export interface CallToAdmit extends MethodName {
  readonly headers: Headers
  /** The endpoint whose tokens count; absent for a call of the method itself. */
  readonly audience?: 'mcp' | undefined
}

/** Dependencies of the gate. */
export interface AccessPorts {
  readonly keys: KeyResolver
  readonly tokens: AccessTokens
  readonly projects: ProjectAccessReader
  readonly sessions: SessionReader
  readonly personalTokens: TokenReader
  readonly clock: Clock
  /** Peers whose forwarding headers count. */
  readonly trustedProxies: AddressRanges
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

/**
 * Authenticates and authorises a call, except for the role in an organisation that only the message names. Throws
 * `unauthenticated`, `permission_denied`, `not_found` and, when a required project is missing, `invalid_argument`.
 */
export async function admitCall(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  const admit = ADMITS.get(call.service.split('.', 1)[0] ?? '')
  if (!admit) throw new Error(`no family of services has ${call.service}`)
  return await admit(ports, call)
}

async function admitKey(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  const { headers } = call
  const key = headers.get('x-api-key') ?? ''
  if (key === '') throw keyRequired()
  if (isPersonalToken(key) || isAssistantToken(key)) return await admitPersonalToken(ports, key, call)
  const grant = await ports.keys.resolve(key)
  if (!grant) throw invalidKey()
  requireWithinLimits(ports, grant, headers)
  const { projectId, kind: keyKind, keyId } = grant
  return { kind: 'key', projectId, keyKind, keyId, masked: maskApiKey(key) }
}

/** Throws `unauthenticated` for a key that has expired, and `permission_denied` for a client whose address it does not allow. */
function requireWithinLimits(
  { clock, trustedProxies }: AccessPorts,
  { limits }: ApiKeyGrant,
  headers: Headers,
): void {
  const readAddress = () => clientAddress(headers.get('x-forwarded-for') ?? '', trustedProxies)
  const refusal = limits && findLimitRefusal(limits, { nowMs: clock.nowMs(), readAddress })
  if (refusal) throw refusal
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

/** Methods of a project accept a private key or a token, unless their rule is for sessions only; all others require a token. */
async function admitMillrace(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  const rule = findAccessRule(call)
  const takesKeys = rule?.scope === 'project' && rule.only !== 'session'
  return takesKeys ? await admitKeyOrToken(ports, call) : await admitToken(ports, call)
}

async function admitToken(ports: AccessPorts, call: CallToAdmit): Promise<Caller> {
  const rule = findAccessRule(call)
  if (!rule) throw new Error(`the role table has no ${call.service}/${call.method}`)
  const claims = await readToken(ports.tokens, call.headers)
  await ports.sessions.require(claims, rule.session)
  const found = await readProject(ports.projects, call.headers, claims)
  if (rule.scope === 'project') {
    if (!found) throw projectRequired()
    requireRole({ role: found.role, needed: rule.least, in: 'project' })
    if (found.isSecondFactorRequired) await ports.sessions.requireSecondFactor(claims)
  }
  return { kind: 'customer', ...claims, ...(found && { project: found }) }
}

/** API keys and personal access tokens, which belong in another header. */
const KEY_PREFIX = /^(pub|prv|pat|oat)_/

async function readToken(tokens: AccessTokens, headers: Headers): Promise<TokenClaims> {
  const sent = headers.get('authorization')
  if (sent === null) throw tokenRequired()
  const token = /^bearer +([\w.-]+) *$/i.exec(sent)?.[1]
  if (token === undefined) throw invalidToken()
  if (KEY_PREFIX.test(token)) throw keyAsBearer()
  return await tokens.read(token)
}

async function readProject(
  projects: ProjectAccessReader,
  headers: Headers,
  { customerId }: TokenClaims,
): Promise<FoundAccess | undefined> {
  const sent = headers.get('x-project-id') ?? ''
  if (sent === '') return undefined
  const projectId = parseProjectId(sent)
  if (projectId === undefined) throw projectNotFound()
  return await projects.read({ customerId, projectId })
}
