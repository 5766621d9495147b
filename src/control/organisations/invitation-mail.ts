import type { Role } from '../../contract/role.ts'
import type { Mail } from '../mail/mail-queue.ts'

/** Contents of an invitation mail. */
export interface InvitationFacts {
  readonly organisationName: string
  readonly email: string
  readonly role: Role
  readonly expiresMs: number
  /** URL with the token. */
  readonly link: string
}

/** Keeps the subject short for long names of organisations too. */
const NAME_CHARACTERS_MAX = 100

const AS_ROLE = {
  admin: 'an admin',
  member: 'a member',
  viewer: 'a viewer',
} as const satisfies Record<Role, string>

/** Composes the mail of an invitation. */
export function composeInvitationMail(facts: InvitationFacts): Mail {
  const { organisationName, link } = facts
  const until = new Date(facts.expiresMs).toISOString().slice(0, 10)
  const sentence = `You have been invited to join ${toOneLine(organisationName)} as ${AS_ROLE[facts.role]}.`
  const note = `The link expires on ${until}. If you did not expect this invitation, you can ignore it.`
  return {
    to: facts.email,
    subject: `Invitation to ${toOneLine(organisationName)}`,
    text: `${sentence}\n\n${link}\n\n${note}\n`,
    html: `<p>${escapeHtml(sentence)}</p><p><a href="${escapeHtml(link)}">Join</a></p><p>${escapeHtml(note)}</p>`,
  }
}

function toOneLine(name: string): string {
  return name
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
