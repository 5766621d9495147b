import type { Adapter, ClientMetadata } from 'oidc-provider'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { RecordCleaner } from './record-cleaner.ts'

const REDIRECT_URIS_MAX = 10
const REDIRECT_URI_CHARACTERS_MAX = 500
const NAME_CHARACTERS_MAX = 100

/** Absolute URIs have no spaces and control characters, which a parser of URLs drops; a fragment is not allowed (RFC 6749 section 3.1.2). */
const REDIRECT_URI = /^[!"$-~]+$/

/** Hosts on the machine of the user (RFC 8252 section 7.3). */
const LOOPBACKS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Schemes that browsers and operating systems open themselves, though their addresses look like those of a program of one's own. The
 * ones that run or read something are here for every program that opens an address less carefully than a browser.
 */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set([
  ...[
    'about',
    'blob',
    'chrome',
    'chrome-extension',
    'data',
    'edge',
    'file',
    'filesystem',
    'jar',
    'javascript',
  ],
  ...['moz-extension', 'res', 'resource', 'vbscript', 'view-source'],
  ...[
    'afp',
    'dav',
    'davs',
    'ftp',
    'ftps',
    'git',
    'gopher',
    'imap',
    'irc',
    'ircs',
    'ldap',
    'ldaps',
    'mms',
    'news',
  ],
  ...[
    'nfs',
    'nntp',
    'pop',
    'rtmp',
    'rtsp',
    'sftp',
    'smb',
    'smtp',
    'ssh',
    'svn',
    'telnet',
    'vnc',
    'ws',
    'wss',
  ],
  ...[
    'android-app',
    'content',
    'intent',
    'itms',
    'itms-apps',
    'itms-services',
    'mailto',
    'market',
    'search-ms',
  ],
  ...['sms', 'tel', 'webcal'],
])

/** Windows and macOS open these themselves, too. */
const SYSTEM_SCHEME = /^(ms|x-apple)-/

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
 * Reads the metadata of a registration (RFC 7591 section 2). A client keeps no secret, even one that asks for it: programs on the machine of
 * their user cannot, and PKCE protects the code of all.
 */
export function parseClientMetadata(sent: unknown): RegisteredMetadata | MetadataRefusal {
  const { redirect_uris: uris, client_name: name } = isRecord(sent) ? sent : {}
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > REDIRECT_URIS_MAX)
    return refuseUri(`redirect_uris must have 1 to ${REDIRECT_URIS_MAX} URIs`)
  const redirect_uris = uris.filter((uri): uri is string => typeof uri === 'string' && isAllowedRedirect(uri))
  if (redirect_uris.length < uris.length)
    return refuseUri(
      `each of redirect_uris must use https, http with a loopback address, or a scheme of the program's own (scheme://name/path, or com.example.program:/path), have no fragment, user name, space or other character beyond ASCII, and at most ${REDIRECT_URI_CHARACTERS_MAX} characters`,
    )
  if (name !== undefined && (typeof name !== 'string' || name.length > NAME_CHARACTERS_MAX))
    return {
      error: 'invalid_client_metadata',
      description: `client_name must be a text of at most ${NAME_CHARACTERS_MAX} characters`,
    }
  return { redirect_uris, client_name: cleanName(name ?? '') }
}

/** Where codes go, as the consent page shows it: a host, or the scheme of a program with the name after it. */
export function redirectHostOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return ''
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:' || protocol === 'http:') return host
  return host === '' ? protocol : `${protocol}//${host}`
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
  if (uri.length > REDIRECT_URI_CHARACTERS_MAX || !REDIRECT_URI.test(uri) || !URL.canParse(uri)) return false
  const url = new URL(uri)
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') return false
  if (protocol === 'http:') return LOOPBACKS.has(hostname)
  return protocol === 'https:' || isOfProgram(url)
}

/**
 * Whether an address opens a program that registered its scheme on the machine of the user (RFC 8252 section 7.1). Few schemes are the
 * name of a domain backwards, as the section asks: editors use their name, and address an extension by its host. Another program
 * can register the same scheme, so the code alone gets no token: PKCE is required.
 */
function isOfProgram({ protocol, host, pathname }: URL): boolean {
  const scheme = protocol.slice(0, -1)
  if (FOREIGN_SCHEMES.has(scheme) || SYSTEM_SCHEME.test(scheme)) return false
  return host !== '' || (scheme.includes('.') && pathname.startsWith('/'))
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
