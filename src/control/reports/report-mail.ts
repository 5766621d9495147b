import { escapeHtml } from '../mail/mail-text.ts'
import type { MailPicture } from '../mail/mail-transport.ts'

/** The mail of a report about one period, the same for all recipients. */
export interface ReportMail {
  readonly subject: string
  /** HTML document with {@link FOOTER} where the footer of each recipient goes. */
  readonly html: string
  readonly text: string
  readonly pictures: readonly MailPicture[]
}

/** Stands in the HTML for the footer. No text of users contains it, because theirs is escaped. */
export const FOOTER = '<!--footer-->'

/** Why a recipient gets the mail. */
export type MailReason =
  | { readonly kind: 'recipient'; readonly unsubscribeUrl: string }
  | { readonly kind: 'test' }
  | { readonly kind: 'preview' }

const REASONS = {
  recipient: 'You get this mail because your address is a recipient of this report.',
  test: 'You get this mail because you tested this report. Only you get it.',
  preview: 'Each recipient finds a link here that unsubscribes.',
} as const satisfies Record<MailReason['kind'], string>

/** The mail as one recipient gets it. */
export function addressMail(
  mail: ReportMail,
  reason: MailReason,
): { readonly subject: string; readonly html: string; readonly text: string } {
  const sentence = REASONS[reason.kind]
  const url = reason.kind === 'recipient' ? reason.unsubscribeUrl : ''
  const link = url === '' ? '' : ` <a href="${escapeHtml(url)}" style="color:inherit">Unsubscribe</a>`
  const lines = [mail.text, '-- ', sentence, ...(url === '' ? [] : [`Unsubscribe: ${url}`])]
  return {
    subject: mail.subject,
    html: mail.html.replace(FOOTER, () => `${sentence}${link}`),
    text: `${lines.join('\n')}\n`,
  }
}

/** A mail as text, for the catalog. */
export function encodeMail(mail: ReportMail): string {
  const pictures = mail.pictures.map(({ cid, png }) => ({ cid, png: png.toString('base64') }))
  return JSON.stringify({ ...mail, pictures })
}

/** Decodes {@link encodeMail}. */
export function decodeMail(text: string): ReportMail {
  const stored: Omit<ReportMail, 'pictures'> & {
    readonly pictures: readonly { readonly cid: string; readonly png: string }[]
  } = JSON.parse(text)
  const pictures = stored.pictures.map(({ cid, png }) => ({ cid, png: Buffer.from(png, 'base64') }))
  return { ...stored, pictures }
}
