import type { Logger } from '../../kernel/log.ts'
import type { MailTransport } from './mail-transport.ts'

/** Writes mails to the log, links included: for the first steps, before any mail server is set. */
export function createLogTransport(log: Logger): MailTransport {
  return async ({ to, subject, text }) => {
    log.info(
      { to, subject, text },
      'no mail server is set (SERVICE_SMTP_URL); this mail would have been sent',
    )
  }
}
