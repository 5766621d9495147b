import { asOrganisationId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { composeMail } from '../channels/notification.ts'
import { listAuthors } from '../channels/tell-admins.ts'
import type { SendMail } from '../mail/mail-queue.ts'
import { toOneLine } from '../mail/mail-text.ts'
import type { RecipientParts } from './recipients.ts'
import type { Report } from './report.ts'
import type { SubscriptionLinks } from './subscription-links.ts'

/** Dependencies of mails about reports. */
export interface ReportMailParts {
  readonly sendMail: SendMail
  readonly links: SubscriptionLinks
  /** Base URL of the console. */
  readonly publicUrl: string
}

/** Creates the function that asks the owner of an address to confirm. */
export function createAskToConfirm({ sendMail, links }: ReportMailParts): RecipientParts['askToConfirm'] {
  return async (transaction, { report, recipient }) => {
    const of = await readOwner(transaction, report)
    const name = toOneLine(report.spec.name)
    const text = [
      `${of.organisationName} wants to send you this report by mail. You only get it if you confirm.`,
      'The link is valid for seven days. If you do not want the report, ignore this mail.',
    ].join('\n')
    const content = composeMail({
      title: `Confirm that you want the report “${name}”`,
      text,
      link: links.urlOf('confirm', recipient),
      linkText: 'Confirm',
    })
    // Through the service's own mail server: who runs the provider of an organisation could confirm for others.
    await sendMail({ to: recipient.address, ...content }, transaction)
  }
}

/** Tells who created a report why the service paused it. */
export type TellAuthor = (transaction: Catalog, report: Report) => Promise<void>

/** Creates the function that tells the author of a report, or the admins where there is none, that it is paused. */
export function createTellAuthor({ sendMail, publicUrl }: ReportMailParts): TellAuthor {
  return async (transaction, report) => {
    const of = await readOwner(transaction, report)
    const content = composeMail({
      title: `The report “${toOneLine(report.spec.name)}” is paused`,
      text: `Its dashboard was deleted from the project ${of.projectName}. Choose another dashboard, or delete the report.`,
      link: publicUrl,
    })
    for (const to of await listAuthors(transaction, report.projectId, [report.createdBy]))
      await sendMail({ organisationId: of.organisationId, to, ...content }, transaction)
  }
}

async function readOwner(transaction: Catalog, { projectId }: Report) {
  const row = await transaction
    .selectFrom('projects')
    .innerJoin('organisations', 'organisations.id', 'projects.organisation_id')
    .select(['organisations.id', 'organisations.display_name', 'projects.display_name as project_name'])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow()
  return {
    organisationId: asOrganisationId(row.id),
    organisationName: toOneLine(row.display_name),
    projectName: toOneLine(row.project_name),
  }
}
