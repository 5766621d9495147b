import { randomUUID } from 'node:crypto'
import type { DescService } from '@bufbuild/protobuf'
import {
  type Client,
  Code,
  ConnectError,
  createClient,
  createRouterTransport,
  type Interceptor,
  type ServiceImpl,
} from '@connectrpc/connect'
import { callerKey, type ProjectAccess } from '../../src/access/caller.ts'
import { ErrorInfoSchema } from '../../src/contract/gen/google/rpc/error_details_pb.js'
import { asCustomerId, type CustomerId, type OrganisationId } from '../../src/contract/ids.ts'
import type { Role } from '../../src/contract/role.ts'
import { ServiceError } from '../../src/contract/service-error.ts'
import type { AccessTokens } from '../../src/control/access/access-token.ts'
import { beginSession } from '../../src/control/customers/refresh-sessions.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { toConnectError } from '../../src/rpc/connect-adapter/errors.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'

/** Adds an account without a password. */
export async function addCustomer(catalog: Catalog, email: string): Promise<CustomerId> {
  const id = asCustomerId(randomUUID())
  const row = { id, email, display_name: '', password_hash: null, email_verified: 1, created_ms: 1 }
  await catalog.insertInto('customers').values(row).execute()
  return id
}

/** A token of a session that has begun some time ago. */
export async function issueToken(
  { catalog, tokens }: { readonly catalog: Catalog; readonly tokens: AccessTokens },
  customerId: CustomerId,
): Promise<string> {
  const ports = { catalog, clock: systemClock, key: Buffer.alloc(32) }
  const session = await beginSession(ports, { customerId, method: 'password' })
  return await tokens.issue({ ...session, signedInMs: 0 })
}

/** Adds an account that is a member of an organisation. */
export async function addMember(
  catalog: Catalog,
  { organisationId, email, role }: { organisationId: OrganisationId; email: string; role: Role },
): Promise<CustomerId> {
  const customer_id = await addCustomer(catalog, email)
  await catalog
    .insertInto('memberships')
    .values({ organisation_id: organisationId, customer_id, role, created_ms: 2 })
    .execute()
  return customer_id
}

/** The signed-in caller, and its project. */
export interface SignedIn {
  readonly customerId: CustomerId
  readonly project?: ProjectAccess
  readonly sessionId?: string
  readonly signedInMs?: number
}

/** A client of a service that runs in this process, behind a gate that trusts the caller's claim. */
export function clientOf<S extends DescService>(
  service: S,
  methods: Partial<ServiceImpl<S>>,
  caller: SignedIn,
): Client<S> {
  const admit: Interceptor = (next) => async (request) => {
    request.contextValues.set(callerKey, { kind: 'customer', sessionId: 'test', signedInMs: 0, ...caller })
    try {
      return await next(request)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw toConnectError(error, { requestId: 'test', domain: 'test' })
    }
  }
  const transport = createRouterTransport((router) => router.service(service, methods), {
    router: { interceptors: [admit] },
  })
  return createClient(service, transport)
}

/** A refusal: the name of the code, and the reason. */
export type Refusal = readonly [code: keyof typeof Code, reason: string]

/** How a call ended: `undefined` when it was answered. Errors without a reason are rethrown. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await call
    return undefined
  } catch (thrown) {
    const error =
      thrown instanceof ServiceError ? toConnectError(thrown, { requestId: 'test', domain: 'test' }) : thrown
    const [info] = error instanceof ConnectError ? error.findDetails(ErrorInfoSchema) : []
    if (!(error instanceof ConnectError) || !info) throw thrown
    return [Code[error.code] as keyof typeof Code, info.reason]
  }
}
