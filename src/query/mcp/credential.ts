/** An API key sent as a bearer token; access tokens never have these prefixes. */
const BEARER_KEY = /^bearer +((?:prv|pub)_\S+) *$/i

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
