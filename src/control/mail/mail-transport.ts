import type { Mailbox } from '../../settings/mailbox.ts'

/** A mail for a provider. */
export interface MailMessage {
  /** The same for each attempt, so that mail programs can detect duplicates. */
  readonly id: string
  readonly from: Mailbox
  /** Empty when replies go to the sender. */
  readonly replyTo: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Pictures that the HTML shows by `cid:`. */
  readonly pictures?: readonly MailPicture[]
  /** URL that unsubscribes with one click (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** A PNG inside a mail. */
export interface MailPicture {
  readonly cid: string
  readonly png: Buffer
}

/** The headers with which mail programs offer to unsubscribe; none without a URL. */
export function unsubscribeHeaders({ unsubscribeUrl }: MailMessage): Readonly<Record<string, string>> {
  if (unsubscribeUrl === undefined) return {}
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** Hands a mail to a provider. Throws {@link MailError}. */
export type MailTransport = (message: MailMessage, signal: AbortSignal) => Promise<void>

/** Timeout of one mail. */
export const SEND_TIMEOUT_MS = 10_000

/**
 * A provider did not accept a mail. The message is safe for the admin who configured the provider, and for the log: it
 * contains nothing of the mail, the recipient or the provider's reply.
 */
export class MailError extends Error {
  readonly #isPermanent: boolean

  /** `cause` is only logged: error codes for the operator, no text from the provider. */
  constructor(message: string, options: { readonly cause?: Error; readonly retry: 'later' | 'never' }) {
    super(message, options.cause && { cause: options.cause })
    this.name = 'MailError'
    this.#isPermanent = options.retry === 'never'
  }

  /** Whether a retry is pointless. */
  get isPermanent(): boolean {
    return this.#isPermanent
  }
}
