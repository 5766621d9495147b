import { randomUUID } from 'node:crypto'
import { createProviderSender } from '../mail/choose-sender.ts'
import { MailError } from '../mail/mail-transport.ts'
import type { MailProvider } from './mail-provider.ts'

const SUBJECT = 'Test of your mail provider'
const TEXT = 'This mail shows that Millrace can send mail through the provider of your organisation.'

/** A provider, and who receives a mail through it. */
export interface TestMail {
  readonly provider: MailProvider
  readonly recipient: string
  readonly resendUrl: string
  readonly signal: AbortSignal
}

/** Sends one mail now and tells what came of it. */
export async function sendTestMail({
  provider,
  recipient,
  resendUrl,
  signal,
}: TestMail): Promise<{ readonly success: boolean; readonly errorMessage: string }> {
  const { transport, from, replyTo } = createProviderSender(provider, resendUrl)
  const content = { subject: SUBJECT, text: TEXT, html: `<p>${TEXT}</p>` }
  try {
    await transport({ id: randomUUID(), from, replyTo, to: recipient, ...content }, signal)
    return { success: true, errorMessage: '' }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { success: false, errorMessage: error.explanation }
  }
}
