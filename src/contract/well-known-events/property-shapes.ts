import type { PropertyRule } from './property-rule.ts'

/** The rules that properties share, so that a family reads as a list of names and meanings. */

/** Any text. */
export const text = { type: 'string' } as const satisfies PropertyRule

/** A text that the event is meaningless without. */
export const requiredText = { type: 'string', required: true } as const satisfies PropertyRule

/** True or false. */
export const flag = { type: 'bool' } as const satisfies PropertyRule

/** A price or a sum of money: free things have none. */
export const money = { type: 'double', gt: 0 } as const satisfies PropertyRule

/** An ISO 4217 code. */
export const currency = { type: 'string', pattern: '^[A-Z]{3}$' } as const satisfies PropertyRule

/** How many, or the place in a list from 0. */
export const count = { type: 'int32', gte: 0 } as const satisfies PropertyRule

/** A size in bytes. */
export const byteCount = { type: 'int64', gte: 0 } as const satisfies PropertyRule

/** A time span, or a place in a recording. */
export const duration = { type: 'duration', gte: 0 } as const satisfies PropertyRule

/** A coordinate on a page, which may lie left of it or above. */
export const coordinate = { type: 'int32' } as const satisfies PropertyRule
