import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { opensProject, roleInProject } from '../../contract/role.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { composeMail } from '../channels/notification.ts'
import { listAdmins } from '../channels/tell-admins.ts'
import type { SendMail } from '../mail/mail-queue.ts'
import { toOneLine } from '../mail/mail-text.ts'
import type { StoredAlert } from './alert.ts'
import { alertUrl } from './alert-notification.ts'

/** An alert that cannot be checked. */
export interface FailedAlert {
  readonly alert: StoredAlert
  /** Sentences for people. */
  readonly error: string
  /** Whether it is not checked any more. */
  readonly isPaused: boolean
}

/** Mails the author of an alert; the mail becomes part of the transaction. */
export type TellAuthor = (transaction: Catalog, failed: FailedAlert) => Promise<void>

/**
 * Creates the function that mails the author of an alert that cannot be checked: the last one who changed it, else its creator. The admins
 * of the organisation get the mail when neither is in it, as for an alert of an API key.
 */
export function createTellAuthor(parts: {
  readonly sendMail: SendMail
  /** Base URL of the console. */
  readonly publicUrl: string
}): TellAuthor {
  return async (transaction, { alert, error, isPaused }) => {
    const name = toOneLine(alert.content.name)
    for (const { email, organisation_id, display_name } of await findAuthors(transaction, alert)) {
      const project = toOneLine(display_name)
      const outcome = isPaused
        ? 'It is paused, because several checks failed in a row. Correct it, then resume it.'
        : 'It is checked again at its next time, and paused if checks keep failing.'
      const text = `The alert ${name} of the project ${project} could not be checked. ${error} ${outcome}`
      const title = isPaused ? `The alert ${name} is paused` : `The alert ${name} could not be checked`
      const content = composeMail({ title, text, link: alertUrl(parts.publicUrl, alert) })
      const organisationId = asOrganisationId(organisation_id)
      await parts.sendMail({ organisationId, to: email, ...content }, transaction)
    }
  }
}

async function findAuthors(transaction: Catalog, { projectId, updatedBy, createdBy }: StoredAlert) {
  for (const account of [updatedBy, createdBy]) {
    const author = account === '' ? undefined : await findColleague(transaction, projectId, account)
    if (author) return [author]
  }
  return await listAdmins(transaction, projectId)
}

async function findColleague(transaction: Catalog, projectId: ProjectId, account: string) {
  const colleague = await transaction
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.organisation_id', 'projects.organisation_id')
    .innerJoin('customers', 'customers.id', 'memberships.customer_id')
    .leftJoin('project_roles', (join) =>
      join
        .onRef('project_roles.project_id', '=', 'projects.id')
        .onRef('project_roles.customer_id', '=', 'memberships.customer_id'),
    )
    .select(['customers.email', 'projects.organisation_id', 'projects.display_name'])
    .select(['memberships.role', 'project_roles.role as project_role'])
    .where('projects.id', '=', projectId)
    .where('customers.id', '=', account)
    .executeTakeFirst()
  if (!colleague) return undefined
  const { role, project_role, ...author } = colleague
  return opensProject(roleInProject({ inOrganisation: role, ofProject: project_role })) ? author : undefined
}
