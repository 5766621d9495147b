import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { digestOf } from '../../store/catalog/api-keys.ts'
import type { AssistantGrant } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { redirectHostOf } from './oauth-clients.ts'

/** What an assistant asks a member for. */
export interface ConsentRequest {
  readonly clientId: string
  /** As the client named itself. */
  readonly clientName: string
  /** The host to which its tokens go. */
  readonly redirectHost: string
  /** The highest scope that it asks for. */
  readonly scope: AssistantGrant['scope']
}

/** The request with an id, which the authorization server has checked. Throws `not_found` for one that is unknown, answered or too old. */
export async function findRequest(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  id: string,
): Promise<ConsentRequest> {
  const row = await catalog
    .selectFrom('oauth_records')
    .select('payload')
    .where('sha256', '=', digestOf(id))
    .where('kind', '=', 'Interaction')
    .where('expires_ms', '>', clock.nowMs())
    .executeTakeFirst()
  const asked: { readonly params: Params } | undefined = row && JSON.parse(row.payload)
  const client = asked && (await findClient(catalog, asked.params.client_id))
  if (!client) throw requestNotFound()
  const { client_id: clientId, redirect_uri: redirectUri, scope = '' } = asked.params
  return {
    clientId,
    clientName: client.client_name,
    redirectHost: redirectHostOf(redirectUri),
    scope: scope.split(' ').includes('write') ? 'write' : 'read',
  }
}

/** Parameters of an authorization request, checked by the library. */
interface Params {
  readonly client_id: string
  readonly redirect_uri: string
  readonly scope?: string
}

async function findClient(
  catalog: Catalog,
  id: string,
): Promise<{ readonly client_name: string } | undefined> {
  const row = await catalog
    .selectFrom('oauth_clients')
    .select('metadata')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && JSON.parse(row.metadata)
}

function requestNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'ASSISTANT_REQUEST_NOT_FOUND',
    message: 'the request of the assistant is unknown, answered or expired; connect the assistant again',
  })
}
