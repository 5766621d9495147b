/** The type of a property of a well-known event; see {@link RULE_TYPES} for the values that each accepts. */
export type RuleType = 'string' | 'int32' | 'int64' | 'double' | 'bool' | 'duration'

/** The rule of one property of a well-known event. Bounds of a duration are seconds. */
export interface PropertyRule {
  readonly type: RuleType
  /** The event must carry the property, and an empty text is no value. */
  readonly required?: true
  /** The value must be greater than this. */
  readonly gt?: number
  /** The value must be at least this. */
  readonly gte?: number
  /** The value must be at most this. */
  readonly lte?: number
  /** The text must match this regular expression. */
  readonly pattern?: string
}

/** The properties of one kind by their snake_case names. */
export type EventRules = Readonly<Record<string, PropertyRule>>

/** The kinds of one family. */
export type EventFamily = Readonly<Record<string, EventRules>>

/** Each type in words: what a value of it is, and how a client sends it. */
export const RULE_TYPES = {
  string: { is: 'a text', sentAs: '`stringValue`' },
  int32: { is: 'a whole number of 32 bits', sentAs: '`intValue`' },
  int64: { is: 'a whole number of 64 bits', sentAs: '`intValue`' },
  double: { is: 'a number', sentAs: '`doubleValue`, or `intValue` for a whole number' },
  bool: { is: 'true or false', sentAs: '`boolValue`' },
  duration: {
    is: 'a duration',
    sentAs: '`stringValue` of seconds with an `s` suffix (`"12.5s"`), or a number of seconds',
  },
} as const satisfies Record<RuleType, { readonly is: string; readonly sentAs: string }>

// Rules that many properties share, so that a family reads as a list of names and meanings.

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

/** A number of items, or a position in a list from 0. */
export const count = { type: 'int32', gte: 0 } as const satisfies PropertyRule

/** A size in bytes. */
export const byteCount = { type: 'int64', gte: 0 } as const satisfies PropertyRule

/** A time span, or a place in a recording. */
export const duration = { type: 'duration', gte: 0 } as const satisfies PropertyRule

/** A coordinate on a page, which may lie left of it or above. */
export const coordinate = { type: 'int32' } as const satisfies PropertyRule
