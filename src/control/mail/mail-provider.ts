import type { Selectable } from 'kysely'
import type { OrganisationId } from '../../contract/ids.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { SmtpServer } from '../../settings/smtp-server.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { EmailProviderTable } from '../../store/catalog/schema/mail-and-push-tables.ts'

/** Connection settings of a provider. */
export type ProviderConfig =
  | { readonly kind: 'smtp'; readonly server: SmtpServer }
  | { readonly kind: 'resend'; readonly apiKey: string }

/** The mail provider of an organisation. */
export interface MailProvider {
  readonly config: ProviderConfig
  /** `a@example.com` or `Name <a@example.com>`. */
  readonly fromAddress: string
  /** Empty when replies go to the sender. */
  readonly replyTo: string
  readonly updatedMs: number
}

/** The mail providers of organisations; their configurations are stored sealed. */
export class MailProviders {
  readonly #catalog: Catalog
  readonly #sealer: Sealer

  constructor(parts: { readonly catalog: Catalog; readonly sealer: Sealer }) {
    this.#catalog = parts.catalog
    this.#sealer = parts.sealer
  }

  /** The provider of an organisation, if it has one. */
  async find(organisationId: OrganisationId): Promise<MailProvider | undefined> {
    const row = await this.#catalog
      .selectFrom('email_providers')
      .selectAll()
      .where('organisation_id', '=', organisationId)
      .executeTakeFirst()
    return row && this.#open(row)
  }

  /** Whether an organisation has a provider. */
  async has(organisationId: OrganisationId): Promise<boolean> {
    const row = await this.#catalog
      .selectFrom('email_providers')
      .select('organisation_id')
      .where('organisation_id', '=', organisationId)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Sets or replaces the provider of an organisation. */
  async set(organisationId: OrganisationId, provider: MailProvider): Promise<void> {
    const { config, fromAddress, replyTo, updatedMs } = provider
    const fields = {
      kind: config.kind,
      from_address: fromAddress,
      reply_to: replyTo,
      sealed_config: this.#sealer.seal({
        purpose: mailProviderPurpose(organisationId),
        text: JSON.stringify(config),
      }),
      updated_ms: updatedMs,
    }
    await this.#catalog
      .insertInto('email_providers')
      .values({ organisation_id: organisationId, ...fields })
      .onConflict((conflict) => conflict.column('organisation_id').doUpdateSet(fields))
      .execute()
  }

  /** Removes the provider of an organisation, if it has one. */
  async remove(organisationId: OrganisationId): Promise<void> {
    await this.#catalog.deleteFrom('email_providers').where('organisation_id', '=', organisationId).execute()
  }

  #open(row: Selectable<EmailProviderTable>): MailProvider {
    const sealed = row.sealed_config
    return {
      config: JSON.parse(this.#sealer.unseal({ purpose: mailProviderPurpose(row.organisation_id), sealed })),
      fromAddress: row.from_address,
      replyTo: row.reply_to,
      updatedMs: Number(row.updated_ms),
    }
  }
}

/** What the sealed text of the row is sealed for. */
export function mailProviderPurpose(organisationId: string): string {
  return `email-provider/${organisationId}`
}
