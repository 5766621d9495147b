import { ProfileOrder } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import type { Sorting } from '../../ui/table.tsx'

/** The columns that people can be sorted by, with the direction that the service gives them. */
export const ORDERS = {
  name: { order: ProfileOrder.NAME, direction: 'ascending' },
  'first-seen': { order: ProfileOrder.FIRST_SEEN, direction: 'descending' },
  'last-seen': { order: ProfileOrder.LAST_SEEN, direction: 'descending' },
} as const satisfies Readonly<
  Record<string, { readonly order: ProfileOrder; readonly direction: Sorting['direction'] }>
>

/** A column that people can be sorted by. */
export type SortKey = keyof typeof ORDERS

/** The default order of the list. */
export const DEFAULT_SORTING: Sorting<SortKey> = { key: 'last-seen', direction: 'descending' }

/** The order of an address, or the default. */
export function readSorting(text: string | null): Sorting<SortKey> {
  return parseSorting(text ?? '') ?? DEFAULT_SORTING
}

/** The order of a text: `name`, or `-name` from Z to A. */
export function parseSorting(text: string): Sorting<SortKey> | undefined {
  const [, minus, key = ''] = /^(-?)(.*)$/.exec(text) ?? []
  if (!Object.hasOwn(ORDERS, key)) return undefined
  return { key: key as SortKey, direction: minus ? 'descending' : 'ascending' }
}

/** The order as the address has it; empty for the default. */
export function writeSorting({ key, direction }: Sorting<SortKey>): string {
  const isDefault = key === DEFAULT_SORTING.key && direction === DEFAULT_SORTING.direction
  return isDefault ? '' : `${direction === 'descending' ? '-' : ''}${key}`
}

/** The same order from the other end. */
export function reverseOf({ key, direction }: Sorting<SortKey>): Sorting<SortKey> {
  return { key, direction: direction === 'ascending' ? 'descending' : 'ascending' }
}

/** The order as the service takes it. */
export function orderOf({ key, direction }: Sorting<SortKey>): {
  readonly order: ProfileOrder
  readonly isReversed: boolean
} {
  const known = ORDERS[key]
  return { order: known.order, isReversed: known.direction !== direction }
}
