import type { Mailbox } from '../../settings/mailbox.ts'

/** A mail as a provider takes it. */
export interface MailMessage {
  /** The same for each attempt at one mail, so that a recipient who gets it twice can tell. */
  readonly id: string
  readonly from: Mailbox
  /** Empty when answers go to the sender. */
  readonly replyTo: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands a mail to a provider. Throws {@link MailError}. */
export type MailTransport = (message: MailMessage, signal: AbortSignal) => Promise<void>

/** How long a provider may take for one mail. */
export const SEND_TIMEOUT_MS = 10_000

/**
 * Why a provider did not take a mail. Its message is a sentence of ours, fit for the admin who set the provider up and for
 * the log: nothing of the mail, of the recipient or of what the other side wrote is in it.
 */
export class MailError extends Error {
  readonly #isPermanent: boolean

  /** `cause` goes to the log only: codes that tell an operator more, and no text of the other side. */
  constructor(
    message: string,
    options: { readonly cause?: Error; readonly attempt: 'may-work-later' | 'never-works' },
  ) {
    super(message, options.cause && { cause: options.cause })
    this.name = 'MailError'
    this.#isPermanent = options.attempt === 'never-works'
  }

  /** Whether the same mail would be refused again. */
  get isPermanent(): boolean {
    return this.#isPermanent
  }
}
