import { randomUUID } from 'node:crypto'
import type { JobHandler } from '../../jobs/job-handler.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { insertMagicLink } from '../customers/magic-links.ts'
import type { Mail, MailQueueParts, SendMail } from '../mail/mail-queue.ts'
import { type AdmissionPorts, maySignIn } from './admit-customer.ts'

/** Composes the mail of a sign-in link. */
function composeSignInMail({ to, link }: { readonly to: string; readonly link: string }): Mail {
  const note =
    'The link works once and expires in 15 minutes. If you did not request it, you can ignore this mail.'
  return {
    to,
    subject: 'Your sign-in link',
    text: `Open this link to sign in:\n\n${link}\n\n${note}\n`,
    // The link needs no escaping: it is the service's own URL and a token in base64url.
    html: `<p><a href="${link}">Sign in</a></p><p>${note}</p>`,
  }
}

/** The kind of job that mails a sign-in link. */
export const SEND_SIGN_IN_LINK = 'send-sign-in-link'

/** The address is sealed, because payloads contain no personal data in the clear. */
type SealedRequest = { readonly requestId: string; readonly sealed: string }

/** Queues sign-in links. The job decides whether to send a mail, so that the response reveals nothing. */
export function createQueueSignInLink({
  catalog,
  clock,
  sealer,
  wakeJobs,
}: MailQueueParts): (email: string) => Promise<void> {
  return async (email) => {
    const requestId = randomUUID()
    const payload: SealedRequest = {
      requestId,
      sealed: sealer.seal({ purpose: purposeOf(requestId), text: email }),
    }
    await insertJob(catalog, { kind: SEND_SIGN_IN_LINK, payload, nowMs: clock.nowMs() })
    wakeJobs()
  }
}

/** Dependencies of mailing links. */
export interface SignInLinkParts extends AdmissionPorts {
  readonly sealer: Sealer
  readonly sendMail: SendMail
  /** URL of the sign-in link with a token. */
  readonly magicLinkUrl: (token: string) => string
  readonly log: Logger
}

/** Mails links to addresses that may sign in, and to no others. */
export function createSignInLinkJob(parts: SignInLinkParts): JobHandler {
  const { sealer, log } = parts
  return {
    run: async (job) => {
      const { requestId, sealed } = job.payload as SealedRequest
      await mailLink(parts, sealer.unseal({ purpose: purposeOf(requestId), sealed }))
      return { next: 'done' }
    },
    giveUp: async (job, error) => {
      const { requestId } = job.payload as SealedRequest
      log.error({ request: requestId, reason: error }, 'a sign-in link could not be mailed')
    },
  }
}

async function mailLink(parts: SignInLinkParts, email: string): Promise<void> {
  const { clock, log, magicLinkUrl, sendMail } = parts
  await inTransaction(parts.catalog, async (catalog) => {
    if (!(await maySignIn({ ...parts, catalog }, email))) {
      log.info(
        {},
        'no sign-in link was sent: the address has no account, and SERVICE_SIGN_UP does not allow it to create one',
      )
      return
    }
    const link = magicLinkUrl(await insertMagicLink(catalog, clock, email))
    await sendMail(composeSignInMail({ to: email, link }), catalog)
  })
}

function purposeOf(requestId: string): string {
  return `sign-in-link/${requestId}`
}
