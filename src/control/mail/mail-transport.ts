import type { Mailbox } from '../../kernel/mailbox.ts'

/** A mail as a provider takes it. */
export interface MailMessage {
  /** The same for each attempt at one mail, so that whoever gets it twice can tell. */
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

const DETAIL_CHARACTERS_MAX = 200

/** Why a provider did not take a mail. */
export class MailError extends Error {
  readonly #detail: string
  readonly #isPermanent: boolean

  /**
   * `message` goes to the log: it holds nothing of the mail, of the recipient, or of what the provider wrote. `detail` is
   * for the admin who set the provider up.
   */
  constructor(
    message: string,
    options: { readonly detail?: string; readonly attempt: 'may-work-later' | 'never-works' },
  ) {
    super(message)
    this.name = 'MailError'
    this.#detail = options.detail ?? ''
    this.#isPermanent = options.attempt === 'never-works'
  }

  /** The message, and what the provider wrote, on one line. */
  get explanation(): string {
    const line = this.#detail.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
    return line === '' ? this.message : `${this.message}: ${line.slice(0, DETAIL_CHARACTERS_MAX)}`
  }

  /** Whether the same mail would be refused again. */
  get isPermanent(): boolean {
    return this.#isPermanent
  }
}
