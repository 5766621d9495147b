import { localhostAllowedOrigins, validateOriginHeader } from '@modelcontextprotocol/server'
import { ServiceError } from '../../contract/service-error.ts'

/** An API key, a personal access token or the token of an assistant sent as a bearer token; access tokens of sessions never have these prefixes. */
const BEARER_KEY = /^bearer +((?:prv|pub|pat|oat)_\S+) *$/i

/**
 * Moves an API key from a bearer token to the header that RPCs read: most MCP clients can only send bearer tokens.
 */
export function readCredential(sent: Headers): Headers {
  const [, key] = BEARER_KEY.exec(sent.get('authorization') ?? '') ?? []
  if (key === undefined || (sent.get('x-api-key') ?? '') !== '') return sent
  const headers = new Headers(sent)
  headers.delete('authorization')
  headers.set('x-api-key', key)
  return headers
}

/** Rejects requests of pages from other origins. Throws `permission_denied`. */
export type CheckOrigin = (headers: Headers) => void

/**
 * Allows pages of this service and of this machine, and programs, which send no origin. With DNS rebinding, the origin is
 * still the attacker's host name, which is rejected. Browsers never add a key on their own, so this is defence in depth.
 */
export function createCheckOrigin(publicUrl: string): CheckOrigin {
  const allowed = [...localhostAllowedOrigins(), new URL(publicUrl).hostname]
  return (headers) => {
    if (validateOriginHeader(headers.get('origin'), allowed).ok) return
    throw new ServiceError({
      code: 'permission_denied',
      reason: 'ORIGIN_NOT_ALLOWED',
      message: 'pages of this origin are not allowed; set SERVICE_PUBLIC_URL',
    })
  }
}
