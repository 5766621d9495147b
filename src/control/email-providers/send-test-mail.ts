import { randomUUID } from 'node:crypto'
import type { OrganisationId } from '../../contract/ids.ts'
import type { Logger } from '../../kernel/log.ts'
import { createProviderSender, type ProviderReach } from '../mail/choose-sender.ts'
import type { MailProvider } from '../mail/mail-provider.ts'
import { MailError } from '../mail/mail-transport.ts'

const SUBJECT = 'Test of your mail provider'
const TEXT = 'Millrace can send mail through the mail provider of your organisation.'

/** A test mail through a provider. */
export interface TestMail {
  readonly organisationId: OrganisationId
  readonly provider: MailProvider
  readonly recipient: string
  readonly reach: ProviderReach
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Sends one mail immediately and returns its outcome. The error message is safe to show; the cause is logged. */
export async function sendTestMail({
  organisationId,
  provider,
  recipient,
  reach,
  log,
  signal,
}: TestMail): Promise<{ readonly success: boolean; readonly errorMessage: string }> {
  const { transport, from, replyTo } = createProviderSender(provider, reach)
  const content = { subject: SUBJECT, text: TEXT, html: `<p>${TEXT}</p>` }
  try {
    await transport({ id: randomUUID(), from, replyTo, to: recipient, ...content }, signal)
    return { success: true, errorMessage: '' }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    log.warn({ err: error, organisation: organisationId }, 'a test mail could not be sent')
    return { success: false, errorMessage: error.message }
  }
}
