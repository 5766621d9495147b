import { asOrganisationId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { composeMail } from '../channels/notification.ts'
import { listAuthors } from '../channels/tell-admins.ts'
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
    const owner = await readOwner(transaction, alert)
    if (!owner) return
    const project = toOneLine(owner.display_name)
    const organisationId = asOrganisationId(owner.organisation_id)
    const { projectId, updatedBy, createdBy } = alert
    for (const to of await listAuthors(transaction, projectId, [updatedBy, createdBy])) {
      const outcome = isPaused
        ? 'It is paused, because several checks failed in a row. Correct it, then resume it.'
        : 'It is checked again at its next time, and paused if checks keep failing.'
      const text = `The alert ${name} of the project ${project} could not be checked. ${error} ${outcome}`
      const title = isPaused ? `The alert ${name} is paused` : `The alert ${name} could not be checked`
      const content = composeMail({ title, text, link: alertUrl(parts.publicUrl, alert) })
      await parts.sendMail({ organisationId, to, ...content }, transaction)
    }
  }
}

async function readOwner(transaction: Catalog, { projectId }: StoredAlert) {
  return await transaction
    .selectFrom('projects')
    .select(['organisation_id', 'display_name'])
    .where('id', '=', projectId)
    .executeTakeFirst()
}
