import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { GetUsageResponse } from '@contract/dashboard/usage/v1/usage_service_pb.js'

/** Months of the table of usage, the running one among them. */
const MONTHS = 6

/** The starts of the running month and of those before it, in UTC, the earliest first. */
export function monthsUntil(nowMs: number): readonly number[] {
  return Array.from({ length: MONTHS }, (_, index) => monthAt(nowMs, index + 1 - MONTHS))
}

/** The range of months by their starts: the last one is whole. */
export function rangeOf(months: readonly number[]) {
  const [first = 0, last = 0] = [months[0], months.at(-1)]
  return { from: timestampFromMs(first), to: timestampFromMs(monthAt(last, 1)) }
}

/** The numbers of events of a project in each of the months. */
export function countsOf(
  { monthly }: Pick<GetUsageResponse, 'monthly'>,
  { projectId, months }: { readonly projectId: string; readonly months: readonly number[] },
): readonly number[] {
  const ofProject = monthly.filter((row) => row.projectId === projectId)
  return months.map((start) =>
    Number(ofProject.find(({ month }) => month && timestampMs(month) === start)?.eventCount ?? 0n),
  )
}

/** The start of a month in UTC, by its distance from that of an instant. */
function monthAt(ms: number, distance: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + distance, 1)
}
