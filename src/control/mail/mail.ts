import type { OrganisationId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** A mail to one person. Its text may hold a link that signs in: it is a secret. */
export interface Mail {
  /** On whose behalf: their provider sends it. Absent for mail of the service itself. */
  readonly organisationId?: OrganisationId
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Takes a mail over: it is sent soon, whatever dies meanwhile. Within a transaction, pass that as `catalog`: then the mail
 * goes out only if the transaction commits.
 */
export type SendMail = (mail: Mail, catalog?: Catalog) => Promise<void>
