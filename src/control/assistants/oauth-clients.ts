import type { Adapter, ClientMetadata } from 'oidc-provider'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { RecordCleaner } from './record-cleaner.ts'

const REDIRECT_URIS_MAX = 10
const REDIRECT_URI_CHARACTERS_MAX = 500
const NAME_CHARACTERS_MAX = 100

/** Hosts on the machine of the user (RFC 8252 section 7.3). */
const LOOPBACKS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The name of a client that gave itself none. */
const UNNAMED = 'MCP client'

/** What is kept of the metadata that a client registers with; everything else has one value for all clients. */
export type RegisteredMetadata = Pick<ClientMetadata, 'redirect_uris' | 'client_name'>

/** Why a registration is refused. */
export interface MetadataRefusal {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  readonly description: string
}

/**
 * Reads the metadata of a registration (RFC 7591 section 2). A client keeps no secret, whatever it asks for: programs on the machine of
 * their user cannot, and PKCE protects the code of all.
 */
export function parseClientMetadata(sent: unknown): RegisteredMetadata | MetadataRefusal {
  const { redirect_uris: uris, client_name: name } = isRecord(sent) ? sent : {}
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > REDIRECT_URIS_MAX)
    return refuseUri(`redirect_uris must have 1 to ${REDIRECT_URIS_MAX} URIs`)
  const redirect_uris = uris.filter((uri): uri is string => typeof uri === 'string' && isAllowedRedirect(uri))
  if (redirect_uris.length < uris.length)
    return refuseUri(
      `each of redirect_uris must use https, or http with a loopback address, have no fragment and no user name, and at most ${REDIRECT_URI_CHARACTERS_MAX} characters`,
    )
  if (name !== undefined && (typeof name !== 'string' || name.length > NAME_CHARACTERS_MAX))
    return {
      error: 'invalid_client_metadata',
      description: `client_name must be a text of at most ${NAME_CHARACTERS_MAX} characters`,
    }
  return { redirect_uris, client_name: cleanName(name ?? '') }
}

/** The host to which codes go, as the consent page shows it. */
export function redirectHostOf(redirectUri: string): string {
  return URL.canParse(redirectUri) ? new URL(redirectUri).host : ''
}

/** A name may contain no characters that change how the text around it reads, such as overrides of its direction. */
function cleanName(name: string): string {
  const clean = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return clean === '' ? UNNAMED : clean
}

function isAllowedRedirect(uri: string): boolean {
  if (uri.length > REDIRECT_URI_CHARACTERS_MAX || uri.includes('#') || !URL.canParse(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACKS.has(hostname))
}

function refuseUri(description: string): MetadataRefusal {
  return { error: 'invalid_redirect_uri', description }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The registered clients in the catalog. */
export function createClientAdapter({
  catalog,
  clock,
  cleaner,
}: {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly cleaner: RecordCleaner
}): Adapter {
  return {
    upsert: async (id, payload) => {
      await catalog
        .insertInto('oauth_clients')
        .values({ id, metadata: JSON.stringify(payload), created_ms: clock.nowMs() })
        .execute()
      await cleaner.clean()
    },
    find: async (id) => {
      const row = await catalog
        .selectFrom('oauth_clients')
        .select('metadata')
        .where('id', '=', id)
        .executeTakeFirst()
      return row && JSON.parse(row.metadata)
    },
    destroy: async (id) => {
      await catalog.deleteFrom('oauth_clients').where('id', '=', id).execute()
    },
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  }
}
