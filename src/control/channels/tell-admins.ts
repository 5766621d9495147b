import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { opensProject } from '../../contract/role.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { listColleagues } from '../../store/catalog/project-roles.ts'
import type { ChannelTable } from '../../store/catalog/schema/channel-tables.ts'
import type { SendMail } from '../mail/mail-queue.ts'
import { toOneLine } from '../mail/mail-text.ts'
import type { Channel } from './channel.ts'
import { composeMail } from './notification.ts'

const REASONS = {
  '': '',
  failing: 'Every delivery has failed for five days.',
  gone: 'Its webhook answered that it no longer exists.',
} as const satisfies Record<ChannelTable['disabled_reason'], string>

/** Creates the function that mails the admins of the organisation of a channel that was disabled. */
export function createTellAdmins(parts: {
  readonly sendMail: SendMail
  /** Base URL of the console. */
  readonly publicUrl: string
}): (transaction: Catalog, channel: Channel) => Promise<void> {
  return async (transaction, { projectId, name, disabledReason, config }) => {
    const admins = await listAdmins(transaction, projectId)
    for (const { email, organisation_id, display_name } of admins) {
      const reason = REASONS[disabledReason]
      const text = `Millrace no longer sends notifications of the project ${toOneLine(display_name)} to this channel. ${reason} Correct the channel and enable it again.`
      const title = `The channel ${toOneLine(name)} is disabled`
      const content = composeMail({ title, text, link: parts.publicUrl })
      // A mail channel may fail because the organisation's mail provider does.
      const sender = config.kind === 'mail' ? {} : { organisationId: asOrganisationId(organisation_id) }
      await parts.sendMail({ ...sender, to: email, ...content }, transaction)
    }
  }
}

const ADMINS_MAX = 100

/** The mail addresses of the admins of a project, those of its organisation among them, with names for the mails. */
export async function listAdmins(transaction: Catalog, projectId: ProjectId) {
  return await transaction
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.organisation_id', 'projects.organisation_id')
    .innerJoin('customers', 'customers.id', 'memberships.customer_id')
    .leftJoin('project_roles', (join) =>
      join
        .onRef('project_roles.project_id', '=', 'projects.id')
        .onRef('project_roles.customer_id', '=', 'memberships.customer_id'),
    )
    .select(['customers.email', 'projects.organisation_id', 'projects.display_name'])
    .where('projects.id', '=', projectId)
    .where(({ eb, or }) => or([eb('memberships.role', '=', 'admin'), eb('project_roles.role', '=', 'admin')]))
    .orderBy('customers.email')
    .limit(ADMINS_MAX)
    .execute()
}

/** The mail address of the first of some accounts that has access to a project, or those of its admins where none has. */
export async function listAuthors(
  transaction: Catalog,
  projectId: ProjectId,
  accounts: readonly string[],
): Promise<readonly string[]> {
  for (const account of accounts.filter((id) => id !== '')) {
    const [author] = await listColleagues(transaction, projectId, { accounts: [account] })
    if (author && opensProject(author.role)) return [author.email]
  }
  return (await listAdmins(transaction, projectId)).map(({ email }) => email)
}
