import type { Json } from '../../store/catalog/job-store.ts'
import { escapeHtml } from '../mail/mail-text.ts'

/** Something that the people of a project are told of through channels. */
export interface Notification {
  /** The same for each recipient and attempt, and different for every other notification. */
  readonly id: string
  /** For example `alert.firing`. */
  readonly type: string
  readonly createdMs: number
  /** One line. */
  readonly title: string
  /** Sentences; may be empty. */
  readonly text: string
  /** URL of a page of the console; empty for none. */
  readonly link: string
  /** Facts for programs, added to the `data` of a webhook. */
  readonly facts: { readonly [name: string]: Json }
  /** Quiet hours: it is not delivered before. */
  readonly notBeforeMs?: number
}

/** The time from which a notification may be delivered. */
export function dueTimeOf({ createdMs, notBeforeMs = createdMs }: Notification): number {
  return Math.max(createdMs, notBeforeMs)
}

/** Composes the body of a webhook. */
export function composeWebhook({ type, createdMs, title, text, link, facts }: Notification): string {
  const timestamp = new Date(createdMs).toISOString()
  return JSON.stringify({ type, timestamp, data: { ...facts, title, text, link } })
}

/** Composes a message of Slack. Names that users choose cannot mention people or contain links. */
export function composeSlack({ title, text, link }: Notification): string {
  const lines = [
    `*${escapeSlack(title)}*`,
    escapeSlack(text),
    link === '' ? '' : `<${link}|Open in Millrace>`,
  ]
  return JSON.stringify({ text: lines.filter((line) => line !== '').join('\n') })
}

/** Composes the content of a mail. */
export function composeMail({
  title,
  text,
  link,
  linkText = 'Open in Millrace',
}: Pick<Notification, 'title' | 'text' | 'link'> & { readonly linkText?: string }): {
  readonly subject: string
  readonly text: string
  readonly html: string
} {
  const parts = [title, text, link].filter((part) => part !== '')
  const body = [`<p><strong>${escapeHtml(title)}</strong></p>`]
  if (text !== '') body.push(`<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`)
  if (link !== '') body.push(`<p><a href="${escapeHtml(link)}">${linkText}</a></p>`)
  return { subject: title, text: `${parts.join('\n\n')}\n`, html: body.join('') }
}

const SLACK_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeSlack(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => SLACK_ENTITIES[character] ?? character)
}
