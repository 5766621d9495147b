import type { SetRequest } from '../../contract/gen/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { isMailAddress, parseMailbox } from '../../settings/mailbox.ts'
import type { SmtpProtection, SmtpServer } from '../../settings/smtp-server.ts'
import { invalidField } from '../invalid-field.ts'
import type { MailProvider, ProviderConfig } from '../mail/mail-provider.ts'

/** Port with implicit TLS. */
const TLS_PORT = 465

const HOST = /^[A-Za-z0-9.:_-]+$/

type Smtp = Extract<SetRequest['config'], { readonly case: 'smtp' }>['value']

/**
 * Parses a provider. An empty password keeps the one of `stored` if nothing else of the server changes: a stored password
 * is never sent to another host or port, or with less protection. Throws `invalid_argument`.
 */
export function parseProvider(
  { fromAddress, replyTo, config }: SetRequest,
  stored: ProviderConfig | undefined,
): Omit<MailProvider, 'updatedMs'> {
  if (!parseMailbox(fromAddress))
    throw invalidField('fromAddress', 'must be a mail address, or a name and an address in angle brackets')
  if (replyTo !== '' && !isMailAddress(replyTo)) throw invalidField('replyTo', 'must be a mail address')
  return { fromAddress, replyTo, config: parseConfig(config, stored) }
}

function parseConfig(config: SetRequest['config'], stored: ProviderConfig | undefined): ProviderConfig {
  if (config.case === 'resend') return { kind: 'resend', apiKey: parseApiKey(config.value.apiKey) }
  if (config.case === 'smtp')
    return {
      kind: 'smtp',
      server: parseServer(config.value, stored?.kind === 'smtp' ? stored.server : undefined),
    }
  throw invalidField('config', 'is required: smtp or resend')
}

/** The key is sent in an HTTP header. */
function parseApiKey(apiKey: string): string {
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw invalidField('resend.apiKey', 'must consist of printable ASCII characters')
  return apiKey
}

function parseServer({ host, port, username, password, useTls }: Smtp, stored?: SmtpServer): SmtpServer {
  if (!HOST.test(host)) throw invalidField('smtp.host', 'must be a host name or an address')
  const server = { host, port, username, protection: protectionOf({ port, useTls }) }
  if (username === '') {
    if (password !== '') throw invalidField('smtp.username', 'is required with a password')
    return { ...server, password }
  }
  if (password !== '') return { ...server, password }
  if (!stored || !isSameServer(server, stored))
    throw invalidField('smtp.password', 'is required when host, port, user name or use_tls change')
  return { ...server, password: stored.password }
}

function isSameServer(server: Omit<SmtpServer, 'password'>, stored: SmtpServer): boolean {
  return (['host', 'port', 'username', 'protection'] as const).every(
    (field) => server[field] === stored[field],
  )
}

function protectionOf({ port, useTls }: Pick<Smtp, 'port' | 'useTls'>): SmtpProtection {
  if (port === TLS_PORT) return 'tls'
  return useTls ? 'starttls' : 'opportunistic'
}
