/** An API key as a bearer token: a token of a sign-in never begins like one. */
const BEARER_KEY = /^bearer +((?:prv|pub)_\S+) *$/i

/**
 * The headers with an API key where RPCs expect it. Most MCP clients can only send a bearer token, so that a key may come as
 * one here.
 */
export function readCredential(sent: Headers): Headers {
  const [, key] = BEARER_KEY.exec(sent.get('authorization') ?? '') ?? []
  if (key === undefined || (sent.get('x-api-key') ?? '') !== '') return sent
  const headers = new Headers(sent)
  headers.delete('authorization')
  headers.set('x-api-key', key)
  return headers
}
