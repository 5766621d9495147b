import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { isIP } from 'node:net'
import { clientAddress } from '../../kernel/address-ranges.ts'
import type { NodeEndpoint } from '../../rpc/node-endpoint.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { type AuditScope, recordChanges } from '../../store/catalog/audit/audit-scope.ts'
import {
  ASSISTANT_SCOPES,
  issuerOf,
  RESOURCE_METADATA_PATHS,
  resourceOf,
  SERVER_METADATA_PATHS,
  SERVER_PATHS,
} from './oauth-paths.ts'
import type { OauthServerPorts, ServeNode } from './oauth-server.ts'

/** Requests at once in a process: each has a few short statements. */
const RUNNING_MAX = 64

/** The longest time for a request, with a body of at most 56 KiB. */
const ANSWER_MS_MAX = 30_000

/** Dependencies of the endpoints. */
export type OauthEndpointPorts = Omit<OauthServerPorts, 'endGrant'> & {
  /** Clears what this process knows about tokens. */
  readonly forgetTokens: () => void
}

/** A request, for the entries of the audit log that it causes. */
type Origin = Pick<AuditScope, 'address' | 'requestId'>

/** The endpoints by which assistants connect, by the path of their route. The first request loads the authorization server. */
export function createOauthEndpoints(ports: OauthEndpointPorts): ReadonlyMap<string, NodeEndpoint> {
  const serve = createLateServer(ports)
  const describe: NodeEndpoint = async (_, response) =>
    sendJson(response, 200, describeResource(ports.publicUrl))
  return new Map<string, NodeEndpoint>([
    ...RESOURCE_METADATA_PATHS.map((path) => [path, describe] as const),
    ...[SERVER_PATHS, ...SERVER_METADATA_PATHS].map((path) => [path, serve] as const),
  ])
}

function createLateServer(ports: OauthEndpointPorts): NodeEndpoint {
  const origins = new AsyncLocalStorage<Origin>()
  const endGrant = createEndGrant(ports, origins)
  const { host, protocol } = new URL(issuerOf(ports.publicUrl))
  let server: Promise<ServeNode> | undefined
  let running = 0
  return async (request, response) => {
    if (running >= RUNNING_MAX)
      return sendJson(response, 503, { error: 'temporarily_unavailable', error_description: 'try again' })
    running++
    const timer = setTimeout(() => response.destroy(), ANSWER_MS_MAX)
    response.once('close', () => {
      running--
      clearTimeout(timer)
    })
    server ??= loadServer({ ...ports, endGrant })
    request.headers['x-forwarded-host'] = host
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    response.setHeader(REQUEST_ID_HEADER, String(request.headers[REQUEST_ID_HEADER] ?? ''))
    const serve = await server
    // Its types name node:http only; the framework beneath serves both.
    await origins.run(originOf(request, ports), async () => await serve(request as never, response as never))
  }
}

async function loadServer(ports: OauthServerPorts): Promise<ServeNode> {
  const { createOauthServer } = await import('./oauth-server.ts')
  return createOauthServer(ports)
}

function originOf(
  { headers }: IncomingMessage | Http2ServerRequest,
  { trustedProxies }: OauthEndpointPorts,
): Origin {
  const address = clientAddress(String(headers['x-forwarded-for'] ?? ''), trustedProxies)
  return { address: isIP(address) === 0 ? '' : address, requestId: String(headers[REQUEST_ID_HEADER] ?? '') }
}

/** An assistant that disconnects itself, or uses a code or token twice, ends the consent; the entry is one of its member. */
function createEndGrant(
  { catalog, clock, forgetTokens }: OauthEndpointPorts,
  origins: AsyncLocalStorage<Origin>,
): (grantId: string) => Promise<void> {
  return async (grantId) => {
    const grant = await catalog
      .selectFrom('oauth_grants')
      .innerJoin('projects', 'projects.id', 'oauth_grants.project_id')
      .select(['oauth_grants.customer_id', 'projects.organisation_id'])
      .where('oauth_grants.id', '=', grantId)
      .executeTakeFirst()
    if (!grant) return
    const scope: AuditScope = {
      action: 'assistant.disconnect',
      object: 'assistant',
      actor: { kind: 'account', id: grant.customer_id, name: '' },
      // The tokens of a consent have its id in the audit log.
      credential: { kind: 'token', id: grantId },
      address: origins.getStore()?.address ?? '',
      requestId: origins.getStore()?.requestId ?? '',
      organisationId: grant.organisation_id,
      projectId: undefined,
      objectId: grantId,
      timeMs: clock.nowMs(),
    }
    await recordChanges(
      scope,
      async () => await catalog.deleteFrom('oauth_grants').where('id', '=', grantId).execute(),
    )
    forgetTokens()
  }
}

/** The metadata of `/mcp` (RFC 9728 section 2). */
function describeResource(publicUrl: string) {
  return {
    resource: resourceOf(publicUrl),
    authorization_servers: [issuerOf(publicUrl)],
    scopes_supported: ASSISTANT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Millrace',
    resource_documentation: new URL('/docs/mcp', publicUrl).href,
  }
}

function sendJson(response: ServerResponse | Http2ServerResponse, status: number, value: unknown): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  // Public, and of use to clients in pages too.
  if (status === 200) response.setHeader('access-control-allow-origin', '*')
  response.end(JSON.stringify(value))
}
