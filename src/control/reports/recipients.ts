import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ProjectId } from '../../contract/ids.ts'
import { opensProject } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { listColleagues } from '../../store/catalog/project-roles.ts'
import type { ReportRecipientTable } from '../../store/catalog/schema/report-tables.ts'
import { invalidField } from '../invalid-field.ts'
import { countAsk } from './ask-limits.ts'
import type { Report } from './report.ts'

/** A recipient of a report. */
export interface Recipient {
  readonly id: string
  readonly reportId: string
  readonly address: string
  readonly state: 'active' | 'pending' | 'unsubscribed'
  /** When the owner was last asked to confirm; 0 when never. */
  readonly askedMs: number
}

/** Dependencies of recipients. */
export interface RecipientParts {
  readonly clock: Clock
  readonly sealer: Sealer
  /** Queues the mail that asks the owner of an address to confirm; it becomes part of the transaction. */
  readonly askToConfirm: (
    transaction: Catalog,
    ask: { readonly report: Report; readonly recipient: Recipient },
  ) => Promise<void>
}

/** Rows of one report, with those of owners who unsubscribed and were taken off the list. */
const ROWS_PER_REPORT_MAX = 500

const DAY_MS = 24 * 3_600_000

/** The recipients of reports, in the order of each list, by the id of the report. */
export async function listRecipients(
  { sealer }: Pick<RecipientParts, 'sealer'>,
  catalog: Catalog,
  reports: readonly Report[],
): Promise<ReadonlyMap<string, readonly Recipient[]>> {
  const [first] = reports
  if (!first) return new Map()
  const ids = reports.map(({ id }) => id)
  const rows = await catalog
    .selectFrom('report_recipients')
    .selectAll()
    .where('report_id', 'in', ids)
    .where('listed', '=', 1)
    .orderBy('position')
    .execute()
  const addresses = new Map(rows.map((row) => [row.id, openAddress(sealer, row)]))
  const members = await findMembers(catalog, first.projectId, [...addresses.values()])
  const recipients = rows.map((row) => toRecipient(row, { address: addresses.get(row.id) ?? '', members }))
  return new Map(ids.map((id) => [id, recipients.filter(({ reportId }) => reportId === id)]))
}

/**
 * Replaces the list of recipients; those that stay keep their state. The owners of new addresses that are no members are
 * asked to confirm, and so is an owner who has unsubscribed.
 */
export async function replaceRecipients(
  parts: RecipientParts,
  transaction: Catalog,
  { report, addresses }: { readonly report: Report; readonly addresses: readonly string[] },
): Promise<void> {
  const rows = await transaction
    .selectFrom('report_recipients')
    .selectAll()
    .where('report_id', '=', report.id)
    .execute()
  const byDigest = new Map(rows.map((row) => [row.digest, row]))
  const members = await findMembers(transaction, report.projectId, addresses)
  for (const [position, address] of addresses.entries()) {
    const digest = digestOf(parts.sealer, address)
    const known = byDigest.get(digest)
    byDigest.delete(digest)
    const row = known
      ? await relist(transaction, known, position)
      : await addRow(parts, transaction, { report, address, digest, position })
    const recipient = toRecipient(row, { address: openAddress(parts.sealer, row), members })
    if (known?.listed !== 1 && recipient.state !== 'active')
      await ask(parts, transaction, { report, recipient, digest })
  }
  for (const row of byDigest.values()) await takeOff(transaction, row)
  await requireWithinLimit(transaction, report)
}

/** Asks a recipient who is not active once more. Throws `invalid_argument` for one who is, and at the limits. */
export async function askAgain(
  parts: RecipientParts,
  transaction: Catalog,
  { report, address }: { readonly report: Report; readonly address: string },
): Promise<void> {
  const digest = digestOf(parts.sealer, address)
  const listed = (await listRecipients(parts, transaction, [report])).get(report.id) ?? []
  const recipient = listed.find((one) => digestOf(parts.sealer, one.address) === digest)
  if (!recipient) throw invalidField('address', 'is not a recipient of this report')
  if (recipient.state === 'active') throw invalidField('address', 'gets this report already')
  const waitMs = recipient.askedMs + DAY_MS - parts.clock.nowMs()
  if (waitMs > 0) throw askedToday(waitMs)
  await ask(parts, transaction, { report, recipient, digest })
}

/** The owner of an address confirmed that they want the report. */
export async function confirmRecipient(catalog: Catalog, id: string, nowMs: number): Promise<void> {
  await catalog
    .updateTable('report_recipients')
    .set({ confirmed_ms: nowMs, unsubscribed_ms: 0 })
    .where('id', '=', id)
    .execute()
}

/** The owner of an address does not want the report any more. */
export async function unsubscribeRecipient(catalog: Catalog, id: string, nowMs: number): Promise<void> {
  await catalog
    .updateTable('report_recipients')
    .set({ confirmed_ms: 0, unsubscribed_ms: nowMs })
    .where('id', '=', id)
    .execute()
}

async function ask(
  parts: RecipientParts,
  transaction: Catalog,
  of: { readonly report: Report; readonly recipient: Recipient; readonly digest: string },
): Promise<void> {
  const { report, recipient, digest } = of
  const nowMs = parts.clock.nowMs()
  await countAsk(transaction, { projectId: report.projectId, digest, nowMs })
  await transaction
    .updateTable('report_recipients')
    .set({ asked_ms: nowMs })
    .where('id', '=', recipient.id)
    .execute()
  await parts.askToConfirm(transaction, { report, recipient: { ...recipient, askedMs: nowMs } })
}

async function relist(
  transaction: Catalog,
  { id }: Selectable<ReportRecipientTable>,
  position: number,
): Promise<Selectable<ReportRecipientTable>> {
  return await transaction
    .updateTable('report_recipients')
    .set({ position, listed: 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function addRow(
  { sealer }: RecipientParts,
  transaction: Catalog,
  of: {
    readonly report: Report
    readonly address: string
    readonly digest: string
    readonly position: number
  },
): Promise<ReportRecipientTable> {
  const { report, address, digest, position } = of
  const id = randomUUID()
  const row: ReportRecipientTable = {
    id,
    report_id: report.id,
    project_id: report.projectId,
    digest,
    sealed_address: sealer.seal({ purpose: purposeOf(id), text: address }),
    position,
    listed: 1,
    asked_ms: 0,
    confirmed_ms: 0,
    unsubscribed_ms: 0,
  }
  await transaction.insertInto('report_recipients').values(row).execute()
  return row
}

/** One who has unsubscribed is remembered: listing the address again must not bring the mails back. */
async function takeOff(
  transaction: Catalog,
  { id, unsubscribed_ms }: Selectable<ReportRecipientTable>,
): Promise<void> {
  if (Number(unsubscribed_ms) === 0)
    await transaction.deleteFrom('report_recipients').where('id', '=', id).execute()
  else await transaction.updateTable('report_recipients').set({ listed: 0 }).where('id', '=', id).execute()
}

/** The addresses, in lower case, that belong to people with access to a project. */
async function findMembers(
  catalog: Catalog,
  projectId: ProjectId,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const emails = [...new Set(addresses.map((address) => address.toLowerCase()))]
  const colleagues = await listColleagues(catalog, projectId, { emails })
  return new Set(colleagues.filter(({ role }) => opensProject(role)).map(({ email }) => email))
}

function toRecipient(
  row: Selectable<ReportRecipientTable>,
  { address, members }: { readonly address: string; readonly members: ReadonlySet<string> },
): Recipient {
  const isUnsubscribed = Number(row.unsubscribed_ms) > 0
  const isWanted = Number(row.confirmed_ms) > 0 || members.has(address.toLowerCase())
  return {
    id: row.id,
    reportId: row.report_id,
    address,
    state: isUnsubscribed ? 'unsubscribed' : isWanted ? 'active' : 'pending',
    askedMs: Number(row.asked_ms),
  }
}

function digestOf(sealer: Sealer, address: string): string {
  return sealer.digest({ purpose: 'report-recipient', text: address.toLowerCase() })
}

/** Opens the address of a recipient. */
function openAddress(
  sealer: Sealer,
  { id, sealed_address }: Pick<ReportRecipientTable, 'id' | 'sealed_address'>,
): string {
  return sealer.unseal({ purpose: purposeOf(id), sealed: sealed_address })
}

function purposeOf(id: string): string {
  return `report-recipient/${id}`
}

async function requireWithinLimit(transaction: Catalog, { id }: Report): Promise<void> {
  const { count } = await transaction
    .selectFrom('report_recipients')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('report_id', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) <= ROWS_PER_REPORT_MAX) return
  throw new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: 'too many people have unsubscribed from this report; create another one',
  })
}

function askedToday(waitMs: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: 'this recipient was asked in the last 24 hours; wait for the answer',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  })
}
