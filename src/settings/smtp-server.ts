/** The protection of a connection to a mail server. */
export type SmtpProtection =
  /** TLS from the first byte. */
  | 'tls'
  /** STARTTLS is required; the certificate must be valid. */
  | 'starttls'
  /**
   * STARTTLS if the server offers it, with any certificate: an attacker who could forge one could also strip the offer.
   */
  | 'opportunistic'

/** A mail server with its credentials. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Empty for a server without authentication. */
  readonly username: string
  readonly password: string
  readonly protection: SmtpProtection
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/**
 * Parses `smtp://user:password@host:port` (STARTTLS when offered) or `smtps://` (TLS); `undefined` for anything else.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') return undefined
  const [username, password] = [url.username, url.password].map(decodePart)
  if (username === undefined || password === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? PORTS[url.protocol] : Number(url.port),
    username,
    password,
    protection: url.protocol === 'smtps:' ? 'tls' : 'opportunistic',
  }
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
