import { opensProject, type Role } from '../../contract/role.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { escapeHtml, toOneLine } from '../mail/mail-text.ts'

/** Contents of an invitation mail. */
export interface InvitationFacts {
  readonly organisationName: string
  readonly email: string
  readonly role: Role
  /** Roles that projects give to the invited user. */
  readonly projectRoles: readonly { readonly projectName: string; readonly role: Role }[]
  readonly expiresMs: number
  /** URL with the token. */
  readonly link: string
}

const AS_ROLE = {
  admin: 'an admin',
  member: 'a member',
  viewer: 'a viewer',
  guest: 'a guest',
} as const satisfies Record<Role, string>

/** Projects that a mail names. */
const PROJECTS_NAMED = 5

/** Composes the mail of an invitation. */
export function composeInvitationMail(facts: InvitationFacts): Mail {
  const { organisationName, link } = facts
  const until = new Date(facts.expiresMs).toISOString().slice(0, 10)
  const sentence = `You have been invited to join ${toOneLine(organisationName)} as ${AS_ROLE[facts.role]}${describeProjects(facts)}.`
  const note = `The link expires on ${until}. If you did not expect this invitation, you can ignore it.`
  return {
    to: facts.email,
    subject: `Invitation to ${toOneLine(organisationName)}`,
    text: `${sentence}\n\n${link}\n\n${note}\n`,
    html: `<p>${escapeHtml(sentence)}</p><p><a href="${escapeHtml(link)}">Join</a></p><p>${escapeHtml(note)}</p>`,
  }
}

/** What the invited user may open, which the role in the organisation does not say. */
function describeProjects({ projectRoles }: Pick<InvitationFacts, 'projectRoles'>): string {
  const names = projectRoles.filter(({ role }) => opensProject(role)).map((one) => toOneLine(one.projectName))
  if (names.length === 0) return ''
  const rest = names.length - PROJECTS_NAMED
  const listed = rest > 0 ? [...names.slice(0, PROJECTS_NAMED), `${rest} more`] : names
  return `, with ${names.length === 1 ? 'a role in the project' : 'roles in the projects'} ${new Intl.ListFormat('en').format(listed)}`
}
