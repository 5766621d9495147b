import { isIPv4 } from 'node:net'

/** The service as browsers name it to passkeys (WebAuthn, section 4). */
export interface RelyingParty {
  /** Host name; passkeys work at no other. */
  readonly id: string
  /** Origin of the console. */
  readonly origin: string
}

/**
 * The relying party of the public URL; `undefined` where browsers allow no passkeys, which need a host name, and https or this machine.
 * A loopback address stands for `localhost`.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const url = new URL(publicUrl)
  if (isLoopback(url.hostname)) url.hostname = 'localhost'
  const { hostname: id, origin, protocol } = url
  if (isIPv4(id) || id.startsWith('[')) return undefined
  const isLocal = id === 'localhost' || id.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? { id, origin } : undefined
}

function isLoopback(host: string): boolean {
  return host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}
