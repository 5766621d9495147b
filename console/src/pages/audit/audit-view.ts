import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { AuditFilter } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { rangeOfDays } from '@domain/calendar.ts'
import { type DatePeriod, daysOfPeriod, parseDatePeriod } from '@domain/date-periods.ts'

/** What the list shows; empty texts mean any. */
export interface AuditView {
  readonly actor: string
  readonly action: string
  readonly object: string
  readonly credential: string
  readonly period: DatePeriod
}

/** Reads the filters in an address. */
export function readView(query: URLSearchParams): AuditView {
  const text = (name: string): string => query.get(name) ?? ''
  return {
    actor: text('actor'),
    action: text('action'),
    object: text('object'),
    credential: text('credential'),
    period: parseDatePeriod(text('period')) ?? 'all-time',
  }
}

/** The parameters without any filter. */
export const NO_FILTERS = {
  actor: '',
  action: '',
  object: '',
  credential: '',
  period: '',
  entry: '',
} as const

/** Whether entries are left out. */
export function isFiltered({ actor, action, object, credential, period }: AuditView): boolean {
  return [actor, action, object, credential].some((text) => text !== '') || period !== 'all-time'
}

/** The filter of a request. */
export type EntryFilter = Partial<
  Pick<AuditFilter, 'from' | 'to' | 'actorId' | 'action' | 'objectId' | 'credentialId'>
>

/** The filter that a view stands for. */
export function filterOf(
  { actor, action, object, credential, period }: AuditView,
  now: { readonly today: string; readonly timeZone: string },
): EntryFilter {
  const filter = { actorId: actor, action, objectId: object.trim(), credentialId: credential }
  if (period === 'all-time') return filter
  const { fromMs, toMs } = rangeOfDays(daysOfPeriod(period, now), now.timeZone)
  return { ...filter, from: timestampFromMs(fromMs), to: timestampFromMs(toMs) }
}
