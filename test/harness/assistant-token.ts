import { randomUUID } from 'node:crypto'
import { asProjectId, type CustomerId } from '../../src/contract/ids.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { digestOf, randomLetters } from '../../src/store/catalog/api-keys.ts'
import { insertGrant } from '../../src/store/catalog/assistant-grants.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'

/** An assistant that an account has connected. */
export interface ConnectedAssistant {
  readonly id: string
  readonly token: string
}

/** Connects an assistant to a project, without the way through the browser. */
export async function connectAssistant(
  catalog: Catalog,
  {
    customerId,
    projectId,
    name = 'Assistant',
  }: { readonly customerId: CustomerId; readonly projectId: string; readonly name?: string },
): Promise<ConnectedAssistant> {
  const clientId = randomUUID()
  const expiresMs = systemClock.nowMs() + 3_600_000
  await catalog
    .insertInto('oauth_clients')
    .values({ id: clientId, metadata: JSON.stringify({ client_name: name }), created_ms: 1 })
    .execute()
  const { id } = await insertGrant(catalog, systemClock, {
    ...{ customerId, projectId: asProjectId(Number(projectId)), clientId, clientName: name, expiresMs },
    ...{ redirectHost: '127.0.0.1:9', scope: 'write' },
  })
  const token = `oat_${randomLetters()}`
  const record = { sha256: digestOf(token), kind: 'AccessToken', grant_id: id, created_ms: 1 } as const
  await catalog
    .insertInto('oauth_records')
    .values({ ...record, payload: JSON.stringify({ scope: 'read write' }), expires_ms: expiresMs })
    .execute()
  return { id, token }
}

/** Stores a request for consent, and returns its id. */
export async function askForConsent(catalog: Catalog, name: string): Promise<string> {
  const [clientId, requestId] = [randomUUID(), randomUUID()]
  await catalog
    .insertInto('oauth_clients')
    .values({ id: clientId, metadata: JSON.stringify({ client_name: name }), created_ms: 1 })
    .execute()
  const params = { client_id: clientId, redirect_uri: 'http://127.0.0.1:9/callback', scope: 'read write' }
  const record = { sha256: digestOf(requestId), kind: 'Interaction', grant_id: null, created_ms: 1 } as const
  await catalog
    .insertInto('oauth_records')
    .values({ ...record, payload: JSON.stringify({ params }), expires_ms: systemClock.nowMs() + 3_600_000 })
    .execute()
  return requestId
}
