import { MCP_PATH } from '../../rpc/json-rpc-error.ts'
import { everyPathBelow } from '../../rpc/router.ts'

/** First element of the paths of the authorization server; sign-in with providers has `/oauth`. */
const ELEMENT = 'oauth2'

/** Every path of the authorization server but those of its metadata. */
export const SERVER_PATHS = everyPathBelow(ELEMENT)

/** The endpoints; the id of a request follows the first, where a browser goes on after the consent. */
export const ENDPOINTS = {
  authorization: `/${ELEMENT}/authorize`,
  token: `/${ELEMENT}/token`,
  registration: `/${ELEMENT}/register`,
  revocation: `/${ELEMENT}/revoke`,
  jwks: `/${ELEMENT}/jwks`,
} as const

/** Where clients look for the metadata of the authorization server (RFC 8414, and OpenID Connect Discovery). */
export const SERVER_METADATA_PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
] as const

/** The metadata of the protected resource (RFC 9728 section 3.1): that of `/mcp` at its own path, and without one. */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`
export const RESOURCE_METADATA_PATHS = [
  RESOURCE_METADATA_PATH,
  '/.well-known/oauth-protected-resource',
] as const

/** The page of the console that asks for consent. */
export const CONSENT_PATH = '/connect'

/** The scopes that an assistant may ask for, the least first. */
export const ASSISTANT_SCOPES = ['read', 'write'] as const

/** The resource that tokens are for (RFC 8707). */
export function resourceOf(publicUrl: string): string {
  return new URL(MCP_PATH, publicUrl).href
}

/** The issuer: the origin of this service. */
export function issuerOf(publicUrl: string): string {
  return new URL(publicUrl).origin
}
