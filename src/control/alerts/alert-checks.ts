import type { Selectable } from 'kysely'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AlertCheckTable } from '../../store/catalog/schema/alert-tables.ts'

/** Checks of an alert that are kept: three weeks of hourly ones. */
const CHECKS_MAX = 500

/** A check as it is read. */
export type CheckRow = Selectable<AlertCheckTable>

/** Stores a check in place of one of the same unit, and deletes those beyond the limit. */
export async function insertCheck(transaction: Catalog, row: CheckRow): Promise<void> {
  const { alert_id, to_ms, ...found } = row
  await transaction
    .insertInto('alert_checks')
    .values(row)
    .onConflict((conflict) => conflict.columns(['alert_id', 'to_ms']).doUpdateSet(found))
    .execute()
  const oldest = await transaction
    .selectFrom('alert_checks')
    .select('to_ms')
    .where('alert_id', '=', alert_id)
    .orderBy('to_ms', 'desc')
    .offset(CHECKS_MAX)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await transaction
    .deleteFrom('alert_checks')
    .where('alert_id', '=', alert_id)
    .where('to_ms', '<=', oldest.to_ms)
    .execute()
}

/** Deletes the checks of units that end later. */
export async function deleteChecksAfter(transaction: Catalog, alertId: string, toMs: number): Promise<void> {
  await transaction
    .deleteFrom('alert_checks')
    .where('alert_id', '=', alertId)
    .where('to_ms', '>', toMs)
    .execute()
}

/** The newest check of each of some alerts, by alert. */
export async function loadLastChecks(
  catalog: Catalog,
  alertIds: readonly string[],
): Promise<ReadonlyMap<string, CheckRow>> {
  if (alertIds.length === 0) return new Map()
  const rows = await catalog
    .selectFrom('alert_checks')
    .selectAll()
    .where('alert_id', 'in', alertIds)
    .where(({ eb, selectFrom }) =>
      eb(
        'to_ms',
        '=',
        selectFrom('alert_checks as later')
          .select(({ fn }) => fn.max('later.to_ms').as('to_ms'))
          .whereRef('later.alert_id', '=', 'alert_checks.alert_id'),
      ),
    )
    .execute()
  return new Map(rows.map((row) => [row.alert_id, row]))
}

/** A page of the checks of an alert, newest first. Throws `invalid_argument` for a token of another list. */
export async function listChecks(
  catalog: Catalog,
  of: { readonly alertId: string; readonly pageSize: number; readonly pageToken: string },
): Promise<{ readonly rows: readonly CheckRow[]; readonly nextPageToken: string }> {
  const { alertId, pageSize, pageToken } = of
  const beforeMs = pageToken === '' ? Number.MAX_SAFE_INTEGER : parseToken(pageToken)
  const rows = await catalog
    .selectFrom('alert_checks')
    .selectAll()
    .where('alert_id', '=', alertId)
    .where('to_ms', '<', beforeMs)
    .orderBy('to_ms', 'desc')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return { rows: page, nextPageToken: last ? encodePageToken([Number(last.to_ms)]) : '' }
}

function parseToken(token: string): number {
  const [toMs, ...rest] = decodePageToken(token)
  if (typeof toMs !== 'number' || !Number.isSafeInteger(toMs) || rest.length > 0) throw invalidPageToken()
  return toMs
}
