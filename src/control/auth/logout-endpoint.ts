import type {
  UniversalHandlerFn,
  UniversalServerRequest,
  UniversalServerResponse,
} from '@connectrpc/connect/protocol'
import { ServiceError } from '../../contract/service-error.ts'
import { type Clock, sleep } from '../../kernel/clock.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { endIdentitySessions } from '../oidc/identities.ts'
import { readLogoutToken } from '../oidc/logout-token.ts'
import type { ProviderClient } from '../oidc/provider-client.ts'
import { useResponse } from '../used-responses.ts'
import type { ProviderPorts } from './provider-ports.ts'

/** The path of logouts; the id of the provider follows. */
const LOGOUT_PATH = '/oauth/logout'

/** Logout tokens have a few hundred bytes. */
const BODY_BYTES_MAX = 16 * 1024

/** Time for the body to arrive. */
const BODY_MS_MAX = 10_000

/** Logouts being verified at once; a provider retries. */
const RUNNING_MAX = 16

/** Dependencies of logouts. */
export interface LogoutPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly oidc: ProviderPorts
  /** Clears what this process knows about sessions. */
  readonly forgetSessions: () => void
}

/** The endpoints of OpenID Connect Back-Channel Logout, by path: a provider ends the sessions that it began. */
export function createLogoutEndpoints(ports: LogoutPorts): ReadonlyMap<string, UniversalHandlerFn> {
  let running = 0
  return new Map(
    ports.oidc.providers.map(({ id }) => [
      `${LOGOUT_PATH}/${id}`,
      async (request) => {
        if (request.method !== 'POST') return toResponse(405, 'invalid_request', 'only POST is allowed')
        if (running >= RUNNING_MAX) return toResponse(503, 'temporarily_unavailable', 'try again')
        running++
        try {
          return await answer(ports, ports.oidc.clientOf(id), request)
        } finally {
          running--
        }
      },
    ]),
  )
}

async function answer(
  ports: LogoutPorts,
  client: ProviderClient,
  request: UniversalServerRequest,
): Promise<UniversalServerResponse> {
  const token = new URLSearchParams(await readBody(request)).get('logout_token') ?? ''
  if (token === '') return toResponse(400, 'invalid_request', 'the form field logout_token is required')
  try {
    await logOut(ports, client, token)
    return { status: 200, header: new Headers({ 'cache-control': 'no-store' }) }
  } catch (thrown) {
    const error = ServiceError.from(thrown)
    ports.oidc.log.warn(
      { provider: client.provider.id, reason: error.reason, err: error.cause },
      'a logout of a provider failed',
    )
    const isOurs = error.code === 'internal' || error.code === 'unavailable'
    return isOurs
      ? toResponse(503, 'temporarily_unavailable', error.message)
      : toResponse(400, 'invalid_request', error.message)
  }
}

async function logOut(ports: LogoutPorts, client: ProviderClient, token: string): Promise<void> {
  const { issuer } = client.provider
  const logout = await readLogoutToken(client, token, ports.clock)
  await inTransaction(ports.catalog, async (catalog) => {
    const used = { catalog, clock: ports.clock, sealer: ports.oidc.sealer }
    // A repeated token succeeds: its sessions have ended, and later ones must not.
    if (!(await useResponse(used, { issuer, kind: 'logout token', value: logout.tokenId }))) return
    await endIdentitySessions(catalog, { issuer, ...logout })
  })
  ports.forgetSessions()
}

/** The body as text; empty when it is too long or too slow. */
async function readBody({ body }: UniversalServerRequest): Promise<string> {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return ''
  const arrived = new AbortController()
  const text = collect(body as AsyncIterable<Uint8Array>).finally(() => arrived.abort())
  const late = sleep(BODY_MS_MAX, arrived.signal).then(
    () => '',
    () => text,
  )
  return await Promise.race([text, late])
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of body) {
    byteCount += chunk.length
    if (byteCount > BODY_BYTES_MAX) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function toResponse(status: number, error: string, description: string): UniversalServerResponse {
  const header = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  if (status === 405) header.set('allow', 'POST')
  const body = JSON.stringify({ error, error_description: description })
  return { status, header, body: streamBytes(Buffer.from(body)) }
}
