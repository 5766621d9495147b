import { bootstrapAccount, type FirstAccount } from '../../control/bootstrap/first-account.ts'
import { bootstrapProject, type FirstProject } from '../../control/bootstrap/first-project.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { prepareClickHouse } from './prepare-clickhouse.ts'

/** What a start needs before it prepares the stores. */
export interface PreparationOptions {
  readonly settings: Settings
  readonly log: Logger
  /** The start of the embedded engine, beside which the catalog is migrated. */
  readonly storeStarted: Promise<void>
}

/**
 * Brings the catalog and ClickHouse to the schema of this release, and creates and prints the first keys and the first account.
 * Throws StoreUnreachable when ClickHouse does not respond, FatalError when the operator must act first.
 */
export async function prepareStores({ settings, log, storeStarted }: PreparationOptions): Promise<void> {
  await withCatalog(settings, async (catalog) => {
    await storeStarted
    await bootstrap(settings, catalog)
    const done = await prepareClickHouse(settings, catalog)
    if (done.length > 0) log.info({ done }, 'ClickHouse has the schema of this release')
  })
}

/** Prints what it creates immediately: it exists even if the start fails later. */
async function bootstrap(settings: Settings, catalog: Catalog): Promise<void> {
  const project = await bootstrapProject(catalog, systemClock, {
    publicKey: settings.bootstrapPublicKey,
    privateKey: settings.bootstrapPrivateKey,
  })
  const customer = await bootstrapAccount(catalog, systemClock, {
    email: settings.bootstrapEmail,
    password: settings.bootstrapPassword,
  })
  const lines = [...describeProject(project), ...describeAccount(customer)]
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
}

function describeProject(project: FirstProject | undefined): string[] {
  return project ? [`public key   ${project.publicKey}`, `private key  ${project.privateKey}`] : []
}

function describeAccount(customer: FirstAccount | undefined): string[] {
  if (!customer) return []
  return [`console      ${customer.email}  ${customer.generatedPassword ?? '(SERVICE_BOOTSTRAP_PASSWORD)'}`]
}
