import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { RangeMs } from '../../domain/time-ranges.ts'
import type { NewRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import type { ReportDeliveryTable, ReportIssueTable } from '../../store/catalog/schema/report-tables.ts'
import type { Recipient } from './recipients.ts'
import { DELIVER_REPORT, type Report } from './report.ts'
import { decodeMail, encodeMail, type ReportMail } from './report-mail.ts'

/** The mail of a report about one period, as far as it is. */
export interface Issue {
  readonly id: string
  readonly period: RangeMs
  readonly state: ReportIssueTable['state']
  /** When the first attempt to compose it began. */
  readonly createdMs: number
}

/** The mail of one period to one recipient. */
export interface ReportDelivery {
  readonly id: string
  readonly issueId: string
  readonly reportId: string
  readonly recipientId: string
  readonly address: string
  readonly state: ReportDeliveryTable['state']
  readonly attempts: number
  readonly error: string
  /** End of the last attempt; 0 before the first. */
  readonly attemptMs: number
  readonly createdMs: number
}

const RETENTION_MS = 30 * 24 * 3_600_000

/** The mails of periods and their deliveries; addresses and contents are sealed. */
export class Issues {
  readonly #catalog: Catalog
  readonly #sealer: Sealer

  constructor(parts: { readonly catalog: Catalog; readonly sealer: Sealer }) {
    this.#catalog = parts.catalog
    this.#sealer = parts.sealer
  }

  /** The issue of a period; begun now unless an earlier attempt began it. */
  async open(report: Report, period: RangeMs, nowMs: number): Promise<Issue> {
    await this.#catalog
      .insertInto('report_issues')
      .values({
        id: randomUUID(),
        report_id: report.id,
        project_id: report.projectId,
        from_ms: period.fromMs,
        to_ms: period.toMs,
        state: 'composing',
        sealed_content: '',
        created_ms: nowMs,
      })
      .onConflict((conflict) => conflict.columns(['report_id', 'to_ms']).doNothing())
      .execute()
    const row = await this.#catalog
      .selectFrom('report_issues')
      .selectAll()
      .where('report_id', '=', report.id)
      .where('to_ms', '=', period.toMs)
      .executeTakeFirstOrThrow()
    return toIssue(row)
  }

  /**
   * Stores the mail of an issue with one delivery for each recipient, and the jobs that make them. False when another
   * attempt has done so.
   */
  async complete(
    transaction: Catalog,
    { id }: Issue,
    of: {
      readonly report: Report
      readonly mail: ReportMail
      readonly recipients: readonly Recipient[]
      readonly nowMs: number
    },
  ): Promise<boolean> {
    const { report, mail, recipients, nowMs } = of
    const content = recipients.length === 0 ? '' : this.#seal(`report-issue/${id}`, encodeMail(mail))
    const { numUpdatedRows } = await transaction
      .updateTable('report_issues')
      .set({ state: 'composed', sealed_content: content })
      .where('id', '=', id)
      .where('state', '=', 'composing')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    for (const recipient of recipients) {
      const row = this.#newDelivery({ issueId: id, report, recipient, nowMs })
      await transaction.insertInto('report_deliveries').values(row).execute()
      await insertJob(transaction, {
        kind: DELIVER_REPORT,
        projectId: report.projectId,
        // The mail server is that of the organisation.
        lane: `report/${report.id}`,
        payload: { deliveryId: row.id },
        nowMs,
      })
    }
    return true
  }

  /** A delivery by its id. */
  async findDelivery(id: string): Promise<ReportDelivery | undefined> {
    const row = await this.#catalog
      .selectFrom('report_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && this.#open(row)
  }

  /** The mail of an issue; `undefined` once it is delivered. */
  async readMail(issueId: string): Promise<ReportMail | undefined> {
    const row = await this.#catalog
      .selectFrom('report_issues')
      .select('sealed_content')
      .where('id', '=', issueId)
      .executeTakeFirst()
    const sealed = row?.sealed_content ?? ''
    if (sealed === '') return undefined
    return decodeMail(this.#sealer.unseal({ purpose: `report-issue/${issueId}`, sealed }))
  }

  /** Records the end of an attempt, or of a delivery without one. The mail is dropped when no delivery needs it any more. */
  async record(
    transaction: Catalog,
    { id, issueId }: ReportDelivery,
    fields: Partial<Pick<ReportDeliveryTable, 'state' | 'attempts' | 'error' | 'attempt_ms'>>,
  ): Promise<void> {
    await transaction.updateTable('report_deliveries').set(fields).where('id', '=', id).execute()
    await transaction
      .updateTable('report_issues')
      .set({ sealed_content: '' })
      .where('id', '=', issueId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('report_deliveries')
              .select('id')
              .where('issue_id', '=', issueId)
              .where('state', '=', 'pending'),
          ),
        ),
      )
      .execute()
  }

  /** A page of the deliveries of a report, newest first, with their periods. */
  async list(page: {
    readonly reportId: string
    readonly before: { readonly createdMs: number; readonly id: string } | undefined
    readonly count: number
  }): Promise<readonly (ReportDelivery & { readonly period: RangeMs })[]> {
    const { before } = page
    const rows = await this.#catalog
      .selectFrom('report_deliveries')
      .innerJoin('report_issues', 'report_issues.id', 'report_deliveries.issue_id')
      .selectAll('report_deliveries')
      .select(['report_issues.from_ms', 'report_issues.to_ms'])
      .where('report_deliveries.report_id', '=', page.reportId)
      .$if(before !== undefined, (query) =>
        query.where(({ eb, or, and }) =>
          or([
            eb('report_deliveries.created_ms', '<', before?.createdMs ?? 0),
            and([
              eb('report_deliveries.created_ms', '=', before?.createdMs ?? 0),
              eb('report_deliveries.id', '<', before?.id ?? ''),
            ]),
          ]),
        ),
      )
      .orderBy('report_deliveries.created_ms', 'desc')
      .orderBy('report_deliveries.id', 'desc')
      .limit(page.count)
      .execute()
    return rows.map(({ from_ms, to_ms, ...row }) => ({
      ...this.#open(row),
      period: { fromMs: Number(from_ms), toMs: Number(to_ms) },
    }))
  }

  #newDelivery(of: {
    readonly issueId: string
    readonly report: Report
    readonly recipient: Recipient
    readonly nowMs: number
  }): ReportDeliveryTable {
    const { issueId, report, recipient, nowMs } = of
    const id = randomUUID()
    return {
      id,
      issue_id: issueId,
      report_id: report.id,
      project_id: report.projectId,
      recipient_id: recipient.id,
      sealed_address: this.#seal(`report-delivery/${id}`, recipient.address),
      state: 'pending',
      attempts: 0,
      error: '',
      attempt_ms: 0,
      created_ms: nowMs,
    }
  }

  #seal(purpose: string, text: string): string {
    return this.#sealer.seal({ purpose, text })
  }

  #open(row: Selectable<ReportDeliveryTable>): ReportDelivery {
    return {
      id: row.id,
      issueId: row.issue_id,
      reportId: row.report_id,
      recipientId: row.recipient_id,
      address: this.#sealer.unseal({ purpose: `report-delivery/${row.id}`, sealed: row.sealed_address }),
      state: row.state,
      attempts: row.attempts,
      error: row.error,
      attemptMs: Number(row.attempt_ms),
      createdMs: Number(row.created_ms),
    }
  }
}

function toIssue(row: Selectable<ReportIssueTable>): Issue {
  return {
    id: row.id,
    period: { fromMs: Number(row.from_ms), toMs: Number(row.to_ms) },
    state: row.state,
    createdMs: Number(row.created_ms),
  }
}

/** Deletes the mails of periods and their deliveries once their retention period is over, and returns how many deliveries. */
export async function deleteOldIssues(catalog: Catalog, nowMs: number): Promise<number> {
  const old = nowMs - RETENTION_MS
  const { numDeletedRows } = await catalog
    .deleteFrom('report_deliveries')
    .where('issue_id', 'in', ({ selectFrom }) =>
      selectFrom('report_issues').select('id').where('created_ms', '<', old),
    )
    .executeTakeFirstOrThrow()
  await catalog.deleteFrom('report_issues').where('created_ms', '<', old).execute()
  return Number(numDeletedRows)
}

/** The recurring job of {@link deleteOldIssues}. */
export const CLEAN_REPORTS: NewRecurringJob = {
  id: 'clean-reports',
  kind: 'clean-reports',
  payload: null,
  schedule: { every: 'day', minute: 43, hour: 3, day: 0 },
  timeZone: 'UTC',
}
