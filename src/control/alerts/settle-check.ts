import { isMet } from '../../domain/alerts/alert-condition.ts'
import { quietUntil } from '../../domain/alerts/quiet-hours.ts'
import type { ValueUnit } from '../../domain/alerts/value-unit.ts'
import type { RangeMs } from '../../domain/time-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AlertTable } from '../../store/catalog/schema/alert-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { NotifyChannels } from '../channels/notify-channels.ts'
import { decodeAlert, type StoredAlert } from './alert.ts'
import { deleteChecksAfter, insertCheck } from './alert-checks.ts'
import { composeAlert } from './alert-notification.ts'
import type { Finding } from './find-number.ts'
import type { TellAuthor } from './tell-author.ts'

/** Dependencies of recording checks. */
export interface SettleParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly notify: NotifyChannels
  readonly tellAuthor: TellAuthor
  /** Base URL of the console. */
  readonly publicUrl: string
}

/** A finding about an alert, as it was when it was asked. */
export interface SettledCheck {
  readonly alert: StoredAlert
  readonly unit: RangeMs
  readonly timeZone: string
  readonly finding: Finding
  /** The unit of the number that was found. */
  readonly valueUnit: ValueUnit
}

/** Failed checks in a row after which an alert is paused. */
const FAILURES_MAX = 5

/** An alert that was checked this far in the future was checked by a clock that was wrong. */
const CLOCK_BACK_MS_MAX = 24 * 3_600_000

/** Whether a unit of an alert is checked already. */
export function isChecked(
  { checkedMs }: Pick<StoredAlert, 'checkedMs'>,
  toMs: number,
  nowMs: number,
): boolean {
  return checkedMs >= toMs && checkedMs <= nowMs + CLOCK_BACK_MS_MAX
}

/**
 * Records a check with its transition and its notification, in one transaction. Of several processes that check the same unit,
 * one records it. False when the alert was changed in the meantime, so that the finding is not about it.
 */
export async function settleCheck(parts: SettleParts, check: SettledCheck): Promise<boolean> {
  return await inTransaction(parts.catalog, async (transaction) => {
    const row = await transaction
      .selectFrom('alerts')
      .selectAll()
      .where('id', '=', check.alert.id)
      .executeTakeFirst()
    if (!row) return true
    const alert = decodeAlert(row)
    const nowMs = parts.clock.nowMs()
    if (alert.content.paused || isChecked(alert, check.unit.toMs, nowMs)) return true
    if (alert.revision !== check.alert.revision) return false
    await record(parts, { ...check, alert }, { transaction, nowMs })
    return true
  })
}

interface Within {
  readonly transaction: Catalog
  readonly nowMs: number
}

async function record(parts: SettleParts, check: SettledCheck, within: Within): Promise<void> {
  const { alert, unit, finding } = check
  const { transaction, nowMs } = within
  const { condition } = alert.content
  const measured = finding.kind === 'number' ? finding.measured : undefined
  const found: AlertTable['state'] | undefined =
    measured && condition ? (isMet(condition, measured.observed) ? 'firing' : 'ok') : undefined
  const state = found ?? alert.state
  const told = found && (await tell(parts, check, { ...within, state: found }))
  await transaction
    .updateTable('alerts')
    .set({
      state,
      ...(state === alert.state ? {} : { state_ms: nowMs }),
      ...(told ? { told: state } : {}),
      checked_ms: unit.toMs,
      ...(await countFailure(parts, check, within)),
    })
    .where('id', '=', alert.id)
    .execute()
  // Checks of a clock that was ahead never were.
  if (alert.checkedMs > unit.toMs) await deleteChecksAfter(transaction, alert.id, unit.toMs)
  await insertCheck(transaction, {
    alert_id: alert.id,
    from_ms: unit.fromMs,
    to_ms: unit.toMs,
    outcome: found ?? (finding.kind === 'failed' ? 'failed' : 'no-number'),
    value: measured?.value ?? 0,
    baseline: measured?.baseline ?? 0,
    observed: measured?.observed ?? 0,
    error: finding.kind === 'failed' ? finding.error : '',
    checked_ms: nowMs,
    notification_id: told?.id ?? '',
    notify_ms: told?.notBeforeMs ?? 0,
  })
}

/** Queues the notification of a state that the channels were not told; nothing while the alert is snoozed. */
async function tell(
  { notify, publicUrl }: SettleParts,
  { alert, unit, timeZone, finding, valueUnit }: SettledCheck,
  { transaction, nowMs, state }: Within & { readonly state: AlertTable['state'] },
): Promise<{ readonly id: string; readonly notBeforeMs: number | undefined } | undefined> {
  if (state === alert.told || alert.snoozeMs > nowMs) return undefined
  const { quietHours, channelIds } = alert.content
  const kind = state === 'firing' ? 'firing' : 'resolved'
  const id = `alert-${alert.id}-${kind}-${unit.toMs}`
  const notBeforeMs = quietHours && quietUntil(quietHours, { nowMs, timeZone })
  const measured = finding.kind === 'number' ? finding.measured : undefined
  const notification = composeAlert(
    { alert, unit, timeZone, measured, valueUnit },
    { id, kind, nowMs, notBeforeMs, publicUrl },
  )
  await notify(transaction, { projectId: alert.projectId, channelIds }, notification)
  return { id, notBeforeMs }
}

/** The failures after a check. The author is told of the first, and of the one that pauses the alert. */
async function countFailure(
  { tellAuthor }: SettleParts,
  { alert, finding }: SettledCheck,
  { transaction }: Within,
): Promise<Partial<AlertTable>> {
  if (finding.kind !== 'failed') return { failures: 0 }
  const failures = alert.failures + 1
  const isPaused = failures >= FAILURES_MAX
  if (failures === 1 || isPaused) await tellAuthor(transaction, { alert, error: finding.error, isPaused })
  if (!isPaused) return { failures }
  const pauseMessage = `The last ${failures} checks failed. ${finding.error}`
  return { failures, paused: 1, pause_reason: 'failing', pause_message: pauseMessage }
}
