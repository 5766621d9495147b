import type { OrganisationId } from '../../contract/ids.ts'
import { assert } from '../../kernel/assert.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { type Mailbox, parseMailbox } from '../../settings/mailbox.ts'
import type { SmtpServer } from '../../settings/smtp-server.ts'
import type { MailProvider } from '../email-providers/mail-provider.ts'
import { createLogTransport } from './log-transport.ts'
import type { MailTransport } from './mail-transport.ts'
import { createResendTransport } from './resend-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'

/** A transport, and as whom it sends. */
export interface MailSender {
  readonly transport: MailTransport
  readonly from: Mailbox
  /** Empty when answers go to the sender. */
  readonly replyTo: string
}

/** What senders are chosen from. */
export interface MailSenderParts {
  /** The organisation's own provider. */
  readonly findProvider: (organisationId: OrganisationId) => Promise<MailProvider | undefined>
  /** The service's own mail server, for everybody else. */
  readonly service: { readonly server: SmtpServer; readonly from: string } | undefined
  readonly reach: ProviderReach
  readonly log: Logger
}

/** How providers of organisations are reached. */
export interface ProviderReach {
  /** Opens the connections to their mail servers. */
  readonly outbound: Outbound
  /** Where Resend's HTTP API is. */
  readonly resendUrl: string
}

/** Chooses by whom a mail of an organisation, or of the service itself, goes out. */
export type ChooseSender = (organisationId: OrganisationId | undefined) => Promise<MailSender>

/** The organisation's provider, else the service's mail server, else the log. */
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
  assert(from, 'the sender of a stored provider is an address')
  const transport =
    config.kind === 'smtp'
      ? createSmtpTransport(config.server, reach.outbound)
      : createResendTransport({ apiKey: config.apiKey, url: reach.resendUrl })
  return { transport, from, replyTo }
}

function createServiceSender({ service, log }: MailSenderParts): MailSender {
  if (!service) {
    return { transport: createLogTransport(log), from: { name: '', address: 'log@localhost' }, replyTo: '' }
  }
  const from = parseMailbox(service.from)
  assert(from, 'the sender of the settings is an address')
  return { transport: createSmtpTransport(service.server), from, replyTo: '' }
}
