import type { OrganisationId } from '../../contract/ids.ts'
import { assert } from '../../kernel/assert.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { type Mailbox, parseMailbox } from '../../settings/mailbox.ts'
import type { SmtpServer } from '../../settings/smtp-server.ts'
import type { MailProvider } from './mail-provider.ts'
import type { MailTransport } from './mail-transport.ts'
import { createResendTransport } from './resend-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'

/** A transport, with the sender's addresses. */
export interface MailSender {
  readonly transport: MailTransport
  readonly from: Mailbox
  /** Empty when replies go to the sender. */
  readonly replyTo: string
}

/** The available senders. */
export interface MailSenderParts {
  /** The organisation's own provider. */
  readonly findProvider: (organisationId: OrganisationId) => Promise<MailProvider | undefined>
  /** The mail server of the service, for mail without an organisation's provider. */
  readonly service: { readonly server: SmtpServer; readonly from: string } | undefined
  readonly reach: ProviderReach
  readonly log: Logger
}

/** Connections to providers of organisations. */
export interface ProviderReach {
  /** Opens connections to their mail servers. */
  readonly outbound: Outbound
  /** Base URL of Resend's HTTP API. */
  readonly resendUrl: string
}

/** Chooses the sender for mail of an organisation, or of the service itself. */
export type ChooseSender = (organisationId: OrganisationId | undefined) => Promise<MailSender>

/** The sender of an organisation's mail: its own provider, the service's mail server, or only the log. */
export type MailRoute = 'provider' | 'server' | 'log'

/** Prefers the organisation's provider, then the service's mail server, then the log. */
export function createChooseSender(parts: MailSenderParts): ChooseSender {
  const fallback = createServiceSender(parts)
  return async (organisationId) => {
    const provider = organisationId === undefined ? undefined : await parts.findProvider(organisationId)
    return provider ? createProviderSender(provider, parts.reach) : fallback
  }
}

/** The sender of an organisation's own provider. */
export function createProviderSender(provider: MailProvider, reach: ProviderReach): MailSender {
  const { config, fromAddress, replyTo } = provider
  const from = parseMailbox(fromAddress)
  assert(from, 'the sender of a stored provider is a valid address')
  const transport =
    config.kind === 'smtp'
      ? createSmtpTransport(config.server, reach.outbound)
      : createResendTransport({ apiKey: config.apiKey, url: reach.resendUrl })
  return { transport, from, replyTo }
}

/** Writes mails to the log, links included, so that an installation works before a mail server is configured. */
function createLogTransport(log: Logger): MailTransport {
  return async ({ to, subject, text }) => {
    log.info({ to, subject, text }, 'no mail server is configured (SERVICE_SMTP_URL); this mail was not sent')
  }
}

function createServiceSender({ service, log }: MailSenderParts): MailSender {
  if (!service) {
    return { transport: createLogTransport(log), from: { name: '', address: 'log@localhost' }, replyTo: '' }
  }
  const from = parseMailbox(service.from)
  assert(from, 'the sender in the settings is a valid address')
  return { transport: createSmtpTransport(service.server), from, replyTo: '' }
}
