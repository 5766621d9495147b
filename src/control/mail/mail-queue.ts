import { randomUUID } from 'node:crypto'
import { asOrganisationId, type OrganisationId } from '../../contract/ids.ts'
import type { JobHandler } from '../../jobs/job-handler.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Job } from '../../store/catalog/job-store.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import type { ChooseSender } from './choose-sender.ts'
import { MailError } from './mail-transport.ts'

/** A mail to one recipient. Its text may contain a sign-in link: treat it as a secret. */
export interface Mail {
  /**
   * The organisation whose provider sends it. Absent for mail of the service itself, and for every mail with a link that opens
   * an account: an admin sets the provider, and can read what it sends.
   */
  readonly organisationId?: OrganisationId
  /** The invitation whose link it contains, and when that expires: each mail of an invitation has another time. */
  readonly invitation?: MailedInvitation
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** An invitation as one of its mails had it. */
export type MailedInvitation = { readonly id: string; readonly expiresMs: number }

/**
 * Queues a mail durably. With the `catalog` of a transaction, the mail is sent only if the transaction commits.
 */
export type SendMail = (mail: Mail, catalog?: Catalog) => Promise<void>

/** The kind of job that sends one mail. */
export const SEND_MAIL = 'send-mail'

/** Sealed, because it contains an address and possibly a sign-in link. */
type SealedMail = {
  readonly mailId: string
  readonly sealed: string
  /** Not sealed: it is needed when the mail cannot be read. */
  readonly invitation?: MailedInvitation
}

/** Dependencies of the mail queue. */
export interface MailQueueParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
  /** Polls for jobs immediately. */
  readonly wakeJobs: () => void
}

/** Creates the function through which all mail is sent. */
export function createSendMail({ catalog, clock, sealer, wakeJobs }: MailQueueParts): SendMail {
  return async ({ invitation, ...mail }, within) => {
    const mailId = randomUUID()
    const sealed = sealer.seal({ purpose: purposeOf(mailId), text: JSON.stringify(mail) })
    const payload: SealedMail = { mailId, sealed, ...(invitation && { invitation }) }
    await insertJob(within ?? catalog, { kind: SEND_MAIL, payload, nowMs: clock.nowMs() })
    wakeJobs()
  }
}

/** Sends queued mails. After a crash, a mail may be sent twice, with the same message id. */
export function createMailJob(parts: {
  readonly sealer: Sealer
  readonly chooseSender: ChooseSender
  /** Told of a mail that will not be sent, with a reason for the admin of its organisation. */
  readonly onFailed: (invitation: MailedInvitation, error: string) => Promise<void>
  readonly log: Logger
}): JobHandler {
  const { sealer, chooseSender, onFailed, log } = parts
  return {
    run: async (job, { signal }) => {
      const { mailId, sealed, invitation } = job.payload as SealedMail
      const mail: Mail = JSON.parse(sealer.unseal({ purpose: purposeOf(mailId), sealed }))
      const { organisationId, to, subject, text, html } = mail
      const { transport, from, replyTo } = await chooseSender(
        organisationId === undefined ? undefined : asOrganisationId(organisationId),
      )
      try {
        await transport({ id: mailId, from, replyTo, to, subject, text, html }, signal)
      } catch (error) {
        if (!(error instanceof MailError && error.isPermanent)) throw error
        log.error({ mail: mailId, err: error }, 'a mail was rejected and will not be sent')
        if (invitation) await onFailed(invitation, error.message)
      }
      return { next: 'done' }
    },
    giveUp: async (job: Job, error) => {
      const { mailId, invitation } = job.payload as SealedMail
      log.error({ mail: mailId, reason: error }, 'a mail could not be sent')
      if (invitation) await onFailed(invitation, error)
    },
  }
}

function purposeOf(mailId: string): string {
  return `mail/${mailId}`
}
